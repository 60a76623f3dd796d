import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { errorOf, get, never, testBroker, withTcpServer, write } from "./harness.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

const BAD_HEADERS: [name: string, value: string, expected: string][] = [
  ["X", "a\r\nHost: evil", "protocol"],
  ["X", "a\nb", "protocol"],
  ["X", "a\0b", "protocol"],
  ["X", "a\u2028b", "protocol"],
  ["X\r\nHost", "evil", "protocol"],
  ["X: y", "z", "protocol"],
  ["", "z", "protocol"],
  ["X Y", "z", "protocol"],
  ["Ｘ", "z", "protocol"],
  ["Host", "169.254.169.254", "refused"],
  ["host", "h.test, evil", "refused"],
  ["Content-Length", "5", "protocol"],
  ["Content-Length", "0, 5", "protocol"],
  ["X", "v".repeat(70_000), "limit"],
];

for (const [name, value, expected] of BAD_HEADERS) {
  const shown = JSON.stringify([name, value.slice(0, 20)]);
  Deno.test(`broker ends a request with the header ${shown} with "${expected}"`, async () => {
    const { channel, lookups } = testBroker({
      names: { "h.test": ["127.0.0.1"] },
      allow: ["h.test"],
    });
    const outcome = await channel(get("http://h.test:9/", { headers: [[name, value]] }), never);
    assertEquals(errorOf(outcome), expected);
    assertEquals(lookups, []);
  });
}

Deno.test("broker refuses methods outside its list", async () => {
  const { channel } = testBroker();
  for (const method of ["CONNECT", "TRACE", "PROPFIND", "GET / HTTP/1.1\r\nX:", "", "ſ"]) {
    assertEquals(errorOf(await channel(get("http://h.test/", { method }), never)), "refused");
  }
});

Deno.test("broker refuses too many headers and too large a body", async () => {
  const { channel } = testBroker();
  const headers = Array.from({ length: 201 }, (_, i): [string, string] => [`X-${i}`, "1"]);
  assertEquals(errorOf(await channel(get("http://h.test/", { headers }), never)), "limit");
  const body = new Uint8Array(16 * 1024 * 1024 + 1);
  const outcome = await channel(get("http://h.test/", { method: "POST", body }), never);
  assertEquals(errorOf(outcome), "too_large");
});

Deno.test("broker lets a session have a session may have 8", async () => {
  const gate = Promise.withResolvers<void>();
  await withTcpServer(async (conn) => {
    await gate.promise;
    await write(conn, OK);
  }, async (port) => {
    const { channel, open } = testBroker({ allow: ["127.0.0.1"] });
    const url = `http://127.0.0.1:${port}/`;
    const pending = Array.from({ length: 8 }, () => channel(get(url), never));
    const ninth = await channel(get(url), never);
    assert(ninth.kind === "error");
    assertEquals(ninth.error, "limit");
    assertStringIncludes(ninth.message, "a session may have 8");
    const other = open()(get(url), never);
    gate.resolve();
    for (const outcome of await Promise.all([...pending, other])) {
      assertEquals(errorOf(outcome), "response 200");
    }
    assertEquals(errorOf(await channel(get(url), never)), "response 200");
  });
});

Deno.test("broker lets a session start 120 requests a minute", async () => {
  let time = 0;
  const { channel } = testBroker({ now: () => time });
  for (let i = 0; i < 120; i++) await channel(get("http://10.0.0.1/"), never);
  const over = await channel(get("http://10.0.0.1/"), never);
  assert(over.kind === "error");
  assertEquals(over.error, "limit");
  assertStringIncludes(over.message, "120 per minute");
  assertStringIncludes(over.message, "in 60 s");
  time = 60_001;
  assertEquals(errorOf(await channel(get("http://10.0.0.1/"), never)), "refused");
});

Deno.test("broker logs refusals with server and target, without path or query", async () => {
  const { channel, lines } = testBroker();
  await channel(get("http://10.0.0.1/secret?token=abc"), never);
  assertEquals(lines.length, 1);
  const line = JSON.parse(lines[0]!);
  assertEquals([line.event, line.server, line.target, line.error], [
    "egress.refused",
    "weather",
    "10.0.0.1:80",
    "refused",
  ]);
  assert(!lines[0]!.includes("secret") && !lines[0]!.includes("abc"));
});
