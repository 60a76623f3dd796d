import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import type { EgressOutcome, EgressRequest, SealedSecret } from "../../src/egress/types.ts";
import { get, never, testBroker } from "./harness.ts";

const FIXTURES = new URL("../fixtures/tls/", import.meta.url);
const read = (name: string) => Deno.readTextFileSync(new URL(name, FIXTURES));
const VALUE = 'ghp_K3y"of/a+user=&\\2c8e';
const PLACEHOLDER = "ghp_placeholderPLACE0123456789";

interface Seen {
  url: string;
  headers: Headers;
  body: string;
}

interface Service {
  port: number;
  seen: Seen[];
  /** What it answers next. */
  answer: (seen: Seen) => Response;
}

/** A service that sees requests, over TLS as `secure.test` or without. */
async function withService(
  body: (service: Service) => Promise<void>,
  options: { plain?: boolean } = {},
): Promise<void> {
  const service: Service = { port: 0, seen: [], answer: () => new Response("ok") };
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    ...(options.plain ? {} : { cert: read("secure.pem"), key: read("secure.key") }),
    onListen() {},
    onError: () => new Response(null, { status: 500 }),
  }, async (request) => {
    const seen = { url: request.url, headers: request.headers, body: await request.text() };
    service.seen.push(seen);
    return service.answer(seen);
  });
  service.port = server.addr.port;
  try {
    await body(service);
  } finally {
    await server.shutdown();
  }
}

function brokerFor(port: number, change: Partial<SealedSecret> = {}, allow = ["127.0.0.1"]) {
  const made = testBroker({
    names: {
      "secure.test": ["127.0.0.1"],
      "other.test": ["127.0.0.1"],
      [`${PLACEHOLDER.toLowerCase()}.test`]: ["127.0.0.1"],
    },
    allow,
    ca: [read("ca.pem")],
  });
  const secret = {
    name: "API_KEY",
    placeholder: PLACEHOLDER,
    value: VALUE,
    hosts: [`secure.test:${port}`],
    ...change,
  };
  return { ...made, channel: made.broker.open("weather", { secrets: [secret] }) };
}

function bodyText(outcome: EgressOutcome): string {
  assert(outcome.kind === "response", JSON.stringify(outcome));
  return new TextDecoder().decode(outcome.body);
}

const bytes = (text: string) => new TextEncoder().encode(text);

function sending(port: number, change: Partial<EgressRequest>, path = "/"): EgressRequest {
  return get(`https://secure.test:${port}${path}`, { method: "POST", ...change });
}

Deno.test("a placeholder becomes the value in headers, address and body of a declared host", async () => {
  await withService(async (service) => {
    const { channel, elsewhere } = brokerFor(service.port);
    const basic = btoa(`user:${PLACEHOLDER}`);
    const requests: Partial<EgressRequest>[] = [
      { headers: [["Authorization", `Bearer ${PLACEHOLDER}`]] },
      { headers: [["Authorization", `Basic ${basic}`]] },
      {
        headers: [["Content-Type", "application/json"]],
        body: bytes(JSON.stringify({ key: PLACEHOLDER, twice: [PLACEHOLDER] })),
      },
      {
        headers: [["Content-Type", "application/x-www-form-urlencoded"]],
        body: bytes(`key=${PLACEHOLDER}&x=1`),
      },
      { headers: [["Content-Type", "text/plain"]], body: bytes(`key ${PLACEHOLDER}`) },
    ];
    for (const request of requests) bodyText(await channel(sending(service.port, request), never));
    const path = `/bot${PLACEHOLDER}/send?key=${PLACEHOLDER}`;
    bodyText(await channel(sending(service.port, {}, path), never));
    const [bearer, pair, json, form, text, address] = service.seen;
    assertEquals(bearer!.headers.get("authorization"), `Bearer ${VALUE}`);
    assertEquals(atob(pair!.headers.get("authorization")!.slice(6)), `user:${VALUE}`);
    assertEquals(JSON.parse(json!.body), { key: VALUE, twice: [VALUE] });
    assertEquals([...new URLSearchParams(form!.body)], [["key", VALUE], ["x", "1"]]);
    assertEquals(text!.body, `key ${VALUE}`);
    const url = new URL(address!.url);
    assertEquals(decodeURIComponent(url.pathname), `/bot${VALUE}/send`);
    assertEquals(url.searchParams.get("key"), VALUE);
    assertEquals(elsewhere, []);
  });
});

Deno.test("other hosts get the placeholder, and the attempt is told", async () => {
  await withService(async (service) => {
    const { channel, elsewhere, lines } = brokerFor(service.port);
    const headers: [string, string][] = [["X-Key", PLACEHOLDER]];
    for (const host of ["other.test", "127.0.0.1", `${PLACEHOLDER}.test`]) {
      const url = `https://${host}:${service.port}/`;
      bodyText(await channel(get(url, { verify: false, headers }), never));
    }
    // The certificate of the declared host is not checked either.
    bodyText(await channel(sending(service.port, { verify: false, headers }), never));
    assertEquals(
      service.seen.map((seen) => seen.headers.get("x-key")),
      Array(4).fill(PLACEHOLDER),
    );
    assertEquals(elsewhere.map(([name]) => name), Array(4).fill("API_KEY"));
    assert(lines.some((line) => line.includes("egress.secret_elsewhere")));
    assert(!lines.join().includes(VALUE));
  });
});

const DISGUISES: [text: string, disguise: (text: string) => string][] = [
  ["base64", btoa],
  ["base64 inside other text", (text) => btoa(`key=${text}!`)],
  ["hexadecimal", (text) => bytes(text).toHex()],
  ["percent signs", (text) => encodeURIComponent(text).replaceAll("_", "%5f")],
  ["capitals", (text) => text.toUpperCase()],
  ["backwards", (text) => [...text].reverse().join("")],
  ["spaces between", (text) => [...text].join(" ")],
];

Deno.test("an encoded placeholder to another host is seen, and is no value", async () => {
  await withService(async (service) => {
    for (const [text, disguise] of DISGUISES) {
      if (text === "percent signs") continue;
      const { channel, elsewhere } = brokerFor(service.port);
      const body = bytes(`{"k": "${disguise(PLACEHOLDER)}"}`);
      const url = `https://other.test:${service.port}/`;
      bodyText(await channel(get(url, { method: "POST", verify: false, body }), never));
      assertEquals(elsewhere.length, 1, text);
    }
  });
});

Deno.test("without TLS only hosts of the operator get the value", async () => {
  await withService(async (service) => {
    const hosts = [`plain.test:${service.port}`, `127.0.0.1:${service.port}`];
    const { channel, elsewhere } = brokerFor(service.port, { hosts });
    const headers: [string, string][] = [["X-Key", PLACEHOLDER]];
    bodyText(await channel(get(`http://127.0.0.1:${service.port}/`, { headers }), never));
    assertEquals([service.seen[0]!.headers.get("x-key"), elsewhere.length], [VALUE, 0]);
    const other = brokerFor(service.port, { hosts: [`secure.test:${service.port}`] });
    bodyText(await other.channel(get(`http://secure.test:${service.port}/`, { headers }), never));
    assertEquals(service.seen[1]!.headers.get("x-key"), PLACEHOLDER);
    assertEquals(other.elsewhere.length, 1);
  }, { plain: true });
});

Deno.test("an answer that reflects the value shows the placeholder, however it is written", async () => {
  await withService(async (service) => {
    const { channel } = brokerFor(service.port);
    const request = sending(service.port, { headers: [["X-Key", PLACEHOLDER]] });
    for (const [text, disguise] of [["plainly", String] as const, ...DISGUISES]) {
      service.answer = ({ headers }) => new Response(`got ${disguise(headers.get("x-key")!)}.`);
      const answer = bodyText(await channel(request, never));
      assert(!answer.includes(disguise(VALUE)), `${text}: ${answer}`);
      if (text === "plainly") assertEquals(answer, `got ${PLACEHOLDER}.`);
    }
    service.answer = ({ headers }) => Response.json({ key: headers.get("x-key") });
    assertEquals(JSON.parse(bodyText(await channel(request, never))), { key: PLACEHOLDER });
    service.answer = ({ headers }) =>
      new Response(null, {
        status: 302,
        headers: { Location: `https://other.test/?k=${encodeURIComponent(headers.get("x-key")!)}` },
      });
    const redirect = await channel(request, never);
    assert(redirect.kind === "response");
    assert(redirect.headers.some(([, value]) => value === `https://other.test/?k=${PLACEHOLDER}`));
  });
});

Deno.test("answers come whole and unpacked: packed ones are unpacked and searched, or refused", async () => {
  await withService(async (service) => {
    const { channel } = brokerFor(service.port);
    const request = sending(service.port, {
      headers: [["X-Key", PLACEHOLDER], ["Range", "bytes=0-3"], ["Accept-Encoding", "gzip"]],
    });
    const packed = (coding: string) => () =>
      new Response(gzipSync(bytes(`it is ${VALUE}`)) as BodyInit, {
        headers: { "Content-Encoding": coding },
      });
    service.answer = packed("gzip");
    assertEquals(bodyText(await channel(request, never)), `it is ${PLACEHOLDER}`);
    const { headers } = service.seen[0]!;
    assertEquals([headers.get("range"), headers.get("accept-encoding")], [null, "identity"]);
    for (const coding of ["zip-of-mine", "br", "gzip, gzip"]) {
      service.answer = packed(coding);
      const refused = await channel(request, never);
      assertEquals(refused.kind, "error", coding);
      assertStringIncludes(JSON.stringify(refused), "cannot be searched");
    }
  });
});

Deno.test("a value with line ends is sent in a body, and not in a header", async () => {
  await withService(async (service) => {
    const value = "-----BEGIN KEY-----\nabc\n-----END KEY-----";
    const { channel } = brokerFor(service.port, { value });
    const refused = await channel(
      sending(service.port, { headers: [["X-Key", PLACEHOLDER]] }),
      never,
    );
    assert(refused.kind === "error");
    assertStringIncludes(refused.message, "The value of API_KEY has line ends");
    assert(!JSON.stringify(refused).includes("abc"));
    const body = bytes(JSON.stringify({ key: PLACEHOLDER }));
    const headers: [string, string][] = [["Content-Type", "application/json"]];
    bodyText(await channel(sending(service.port, { headers, body }), never));
    assertEquals(JSON.parse(service.seen[0]!.body), { key: value });
  });
});

Deno.test("answers that are searched for secrets count once more for each of them", async () => {
  await withService(async (service) => {
    const { broker } = testBroker({
      names: { "secure.test": ["127.0.0.1"] },
      allow: ["127.0.0.1"],
      ca: [read("ca.pem")],
    });
    const secrets = Array.from({ length: 9 }, (_, at) => ({
      name: `KEY_${at}`,
      placeholder: `berth-${at}0123456789abcdefghijklmnop`,
      value: `value-${at}-Qm8Zt4Lw7Xb2Nc9K`,
      hosts: [`secure.test:${service.port}`],
    }));
    const channel = broker.open("weather", { secrets });
    service.answer = () => new Response(new Uint8Array(4 * 1024 * 1024));
    for (let round = 0; round < 4; round++) {
      const outcome = await channel(sending(service.port, {}), never);
      assertEquals(outcome.kind, "response", `${round}`);
    }
    const over = await channel(sending(service.port, {}), never);
    assert(over.kind === "error");
    assertStringIncludes(over.message, "128 MiB per minute");
  });
});
