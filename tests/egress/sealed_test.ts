import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { PreparedRequest } from "../../src/egress/request_check.ts";
import { sealSecrets } from "../../src/egress/secrets.ts";
import type { EgressResponse } from "../../src/egress/types.ts";
import { parseEgressPolicy } from "../../src/egress/policy.ts";
import { placeholderFor } from "../../src/keys/placeholder.ts";
import { get, never, testBroker } from "./harness.ts";

const POLICY = parseEgressPolicy([], ["*"]);
const bytes = (text: string) => new TextEncoder().encode(text);

function sealed(value: string, hosts = ["api.example.com"]) {
  const placeholder = placeholderFor(value);
  const secrets = sealSecrets([{ name: "API_KEY", placeholder, value, hosts }], POLICY);
  assert(secrets !== null);
  return { placeholder, secrets };
}

function requestTo(host: string, change: Partial<PreparedRequest> = {}): PreparedRequest {
  return {
    kind: "prepared",
    method: "POST",
    secure: true,
    host,
    port: 443,
    authority: host,
    path: "/",
    headers: [],
    body: null,
    ...change,
  };
}

function answer(body: Uint8Array, headers: [string, string][] = []): EgressResponse {
  return { kind: "response", status: 200, reason: "OK", headers, body } as EgressResponse;
}

const ascii = (text: string) =>
  text.replace(
    /[\u0080-\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
const latin = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0));
const twice = (text: string) => encodeURIComponent(encodeURIComponent(text));
const base64 = (text: string) => bytes(text).toBase64();
const urlSafe = (text: string) =>
  bytes(text).toBase64({ alphabet: "base64url", omitPadding: true });
const lines = (text: string, end: string) => text.replace(/.{20}/g, `$&${end}`);
const inMails = (text: string) =>
  [...bytes(text)].map((byte) =>
    byte === 0x3d || byte >= 0x80
      ? `=${byte.toString(16).toUpperCase()}`
      : String.fromCharCode(byte)
  ).join("");
const hex = (text: string) => [...bytes(text)].map((byte) => byte.toString(16).padStart(2, "0"));
const marked = (text: string) => text.replace(/.{5}/gu, '<b class="hit">$&</b><wbr>');
const REFLECTIONS: [string, (value: string) => string | Uint8Array][] = [
  ["ASCII JSON", (value) => ascii(JSON.stringify({ value }))],
  ["JSON in JSON", (value) => JSON.stringify(ascii(JSON.stringify({ value })))],
  ["percent signs twice", twice],
  ["latin-1", latin],
  ["base64", base64],
  ["base64 in percent signs", (value) => encodeURIComponent(base64(value))],
  ["URL-safe base64 without padding", urlSafe],
  ["base64 in other text", (value) => base64(`user:${value}`)],
  ["URL-safe base64 in other text", (value) => urlSafe(`ab${value}cd`)],
  ["the value itself made URL-safe", (value) => value.replaceAll("+", "-").replaceAll("/", "_")],
  ["the value without padding", (value) => value.replace(/=+$/, "")],
  ["numbers of HTML", (value) => [...value].map((one) => `&#${one.codePointAt(0)};`).join("")],
  ["UTF-16", (value) => new Uint8Array([...value].flatMap((one) => [...utf16(one)]))],
  [
    "UTF-16, other way round",
    (value) => new Uint8Array([...value].flatMap((one) => utf16(one).reverse())),
  ],
  ["UTF-32", (value) => new Uint8Array([...value].flatMap((one) => [...utf16(one), 0, 0]))],
  ["base64 in lines", (value) => lines(base64(`${"x".repeat(14)}${value}`), "\r\n")],
  ["base64 in lines of JSON", (value) => JSON.stringify(lines(base64(`ab${value}`), "\n"))],
  ["hexadecimal with colons", (value) => hex(value).join(":")],
  ["hexadecimal in groups", (value) => hex(value).join("").replace(/.{4}/g, "$& ")],
  ["numbers in lines", (value) => JSON.stringify([...bytes(value)], null, 2)],
  ["a list of characters", (value) => JSON.stringify([...value])],
  ["parts that tags mark", marked],
  ["tags in JSON", (value) => JSON.stringify({ value: marked(value) }).replaceAll("<", "\\u003c")],
  [
    "tags in HTML of HTML",
    (value) => marked(value).replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  ],
  ["parts of CDATA", (value) => `<a><![CDATA[${value.replace(/.{4}/gu, "$&]]><![CDATA[")}]]></a>`],
  ["the text of a mail", (value) => lines(inMails(value), "=\r\n")],
];

function utf16(character: string): number[] {
  return [character.charCodeAt(0) & 0xff, character.charCodeAt(0) >> 8];
}

Deno.test("a value of any characters is taken out of an answer in which it is escaped or encoded", async () => {
  for (
    const value of ["Grüße-aus-Köln-2026", "abC1+dE2/fG3hI4jK5lM6nO7==", 'a"b\\c/d ü'.repeat(3)]
  ) {
    const { secrets } = sealed(value);
    for (const [name, write] of REFLECTIONS) {
      const written = write(value);
      const body = typeof written === "string" ? bytes(written) : written;
      const location = `https://other.example/?to=${twice(value)}`;
      const cleaned = await secrets.clean(
        requestTo("api.example.com"),
        answer(body, [["Location", location], ["Content-Length", `${body.length}`]]),
      );
      assert(cleaned.outcome.kind === "response");
      const left = new TextDecoder("latin1").decode(cleaned.outcome.body);
      assert(cleaned.reflected.length > 0, `${name}: ${value}`);
      assert(left !== new TextDecoder("latin1").decode(body), `${name}: ${value}: ${left}`);
      const [[, target]] = cleaned.outcome.headers as [[string, string]];
      assert(!target.includes(twice(value)), target);
    }
  }
});

Deno.test("base64 of more than a value has none of its characters at the edges either", async () => {
  const value = "Zq7Lm9Xx4Vb1Nc8K";
  const { secrets, placeholder } = sealed(value);
  for (const before of ["", "a", "ab", "user:"]) {
    for (const behind of ["", "y", "yz", "yzw"]) {
      for (const write of [base64, urlSafe, (text: string) => lines(base64(text), "\n")]) {
        const { outcome } = await secrets.clean(
          requestTo("api.example.com"),
          answer(bytes(`"${write(before + value + behind)}", "other"`)),
        );
        assert(outcome.kind === "response");
        const [, written, rest] = new TextDecoder().decode(outcome.body).split('"');
        const read = atob(written!.replaceAll("-", "+").replaceAll("_", "/"));
        assertStringIncludes(read, placeholder);
        const around = read.replace(placeholder, "");
        assert([...around].every((one) => !value.includes(one)), around);
        assertEquals(rest, ", ");
      }
    }
  }
});

Deno.test("an answer that names a header after the value shows the placeholder there too", async () => {
  const { secrets, placeholder } = sealed("tok_7Hq2Lm9Zx4Vb1Nc8");
  const { outcome, reflected } = await secrets.clean(
    requestTo("api.example.com"),
    answer(bytes(""), [["X-tok_7Hq2Lm9Zx4Vb1Nc8", "1"], ["X-Other", "2"], [
      "tok_7HQ2lm9zx4vb1nc8",
      "",
    ]]),
  );
  assert(outcome.kind === "response");
  assertEquals(outcome.headers, [[`X-${placeholder}`, "1"], ["X-Other", "2"], [placeholder, ""]]);
  assertEquals(reflected, ["API_KEY"]);
});

Deno.test("an answer that was packed on its way is refused", async () => {
  const { secrets } = sealed("tok_7Hq2Lm9Zx4Vb1Nc8");
  const { outcome } = await secrets.clean(
    requestTo("api.example.com"),
    answer(bytes("packed"), [["Transfer-Encoding", "gzip, chunked"]]),
  );
  assert(outcome.kind === "error");
  assertStringIncludes(outcome.message, "cannot be searched");
});

Deno.test("no header asks for a part of an answer, whatever a service calls it", async () => {
  const { secrets } = sealed("tok_7Hq2Lm9Zx4Vb1Nc8");
  const ranges = ["Range", "x-ms-range", "If-Range", "X-Amz-Copy-Source-Range", "Request-Range"];
  const kept = ["Content-Range", "X-Arrange", "Ranges"];
  const headers = [...ranges, ...kept].flatMap((name) => [name, "bytes=0-3"]);
  const filled = await secrets.fill(requestTo("api.example.com", { headers }), true);
  assert(!("kind" in filled));
  const names = filled.request.headers.filter((_, at) => at % 2 === 0);
  assertEquals(names, [...kept, "Accept-Encoding"]);
});

Deno.test("an answer of a host that a secret is not for comes as it is, so that no guess is told", async () => {
  const { secrets } = sealed("739154739154");
  const guesses = answer(bytes("739154739153\n739154739154\n"), [["X-Guess", "739154739154"]]);
  for (const host of ["other.example", "example.com", "api.example.com.other.example"]) {
    const { outcome, reflected } = await secrets.clean(requestTo(host), guesses);
    assertEquals([outcome, reflected], [guesses, []]);
  }
  const own = await secrets.clean(requestTo("api.example.com"), guesses);
  assertEquals(own.reflected.length > 0, true);
});

Deno.test("each host's answers are searched for the secrets that are for it, and no others", async () => {
  const values = ["first-secret-value", "second-secret-value"];
  const secrets = sealSecrets(
    values.map((value, at) => ({
      name: `KEY_${at}`,
      placeholder: `placeholder-${at}-xxxxxxxxxxxxxxxx`,
      value,
      hosts: [`api${at}.example.com`],
    })),
    POLICY,
  )!;
  for (const [at, value] of values.entries()) {
    const { outcome } = await secrets.clean(
      requestTo(`api${at}.example.com`),
      answer(bytes(values.join())),
    );
    assert(outcome.kind === "response");
    const wanted = values.join().replace(value, `placeholder-${at}-xxxxxxxxxxxxxxxx`);
    assertEquals(new TextDecoder().decode(outcome.body), wanted);
  }
});

Deno.test("a request that would pass a limit with the values in it is refused before it is made", async () => {
  const value = "v".repeat(16_384);
  const { placeholder, secrets } = sealed(value);
  const tooLarge: [Partial<PreparedRequest>, string][] = [
    [{ body: bytes(placeholder.repeat(2000)) }, "body"],
    [{ path: `/?k=${placeholder}` }, "address"],
    [{ path: `/${placeholder}` }, "address"],
    [{ headers: ["X-Key", placeholder.repeat(5)] }, "head"],
    [{ headers: Array.from({ length: 10 }, (_, at) => at % 2 ? placeholder : "X-Key") }, "head"],
    [{ headers: ["Authorization", `Basic ${btoa(placeholder.repeat(4))}`] }, "head"],
  ];
  for (const [change, what] of tooLarge) {
    const filled = await secrets.fill(requestTo("api.example.com", change), true);
    assert("kind" in filled && filled.error === "too_large", what);
    assertStringIncludes(filled.message, `The request ${what} with the value of API_KEY`);
    assert(!filled.message.includes("vvv"));
  }
  const small = requestTo("api.example.com", {
    headers: ["X-Key", placeholder],
    body: bytes(placeholder.repeat(1000)),
  });
  const filled = await secrets.fill(small, true);
  assert("request" in filled);
  assertEquals(filled.request.body!.byteLength, 1000 * value.length);
});

Deno.test("secrets of any length and any characters are searched for, and no log has one", async () => {
  const service = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => new Response(`got ${request.headers.get("x-key") ?? await request.text()}.`),
  );
  try {
    const random = crypto.getRandomValues(new Uint8Array(8000)).toBase64();
    const cases = ["k3Y(", "a+)*[", "\\"].map((part) => part.repeat(1500)).concat(random);
    for (const value of cases) {
      const placeholder = placeholderFor(value);
      const { broker, lines } = testBroker({ allow: ["127.0.0.1"] });
      const hosts = [`127.0.0.1:${service.addr.port}`];
      const channel = broker.open("weather", {
        secrets: [{ name: "API_KEY", placeholder, value, hosts }],
      });
      const url = `http://127.0.0.1:${service.addr.port}/`;
      const outcome = await channel(get(url, { headers: [["X-Key", placeholder]] }), never);
      assert(outcome.kind === "response", JSON.stringify(outcome));
      assertEquals(new TextDecoder().decode(outcome.body), `got ${placeholder}.`);
      assert(!lines.join().includes("egress.failed"));
      assert(!lines.join().includes(value.slice(0, 20)));
    }
  } finally {
    await service.shutdown();
  }
});
