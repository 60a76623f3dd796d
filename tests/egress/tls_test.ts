import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { errorOf, get, never, testBroker } from "./harness.ts";

const FIXTURES = new URL("../fixtures/tls/", import.meta.url);
const read = (name: string) => Deno.readTextFileSync(new URL(name, FIXTURES));
const NAMES = { "secure.test": ["127.0.0.1"], "other.test": ["127.0.0.1"] };

async function withTlsServer(body: (port: number) => Promise<void>): Promise<void> {
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    cert: read("secure.pem"),
    key: read("secure.key"),
    onListen() {},
    onError: () => new Response(null, { status: 500 }),
  }, (request) => new Response(`hello ${request.headers.get("host")}`));
  try {
    await body(server.addr.port);
  } finally {
    await server.shutdown();
  }
}

Deno.test("broker checks the certificate against the name, not the address", async () => {
  await withTlsServer(async (port) => {
    const trusting = testBroker({ names: NAMES, allow: ["127.0.0.1"], ca: [read("ca.pem")] });
    const outcome = await trusting.channel(get(`https://secure.test:${port}/`), never);
    assert(outcome.kind === "response", errorOf(outcome));
    assertEquals(new TextDecoder().decode(outcome.body), `hello secure.test:${port}`);
    for (const host of ["other.test", "127.0.0.1"]) {
      const refused = await trusting.channel(get(`https://${host}:${port}/`), never);
      assertEquals(errorOf(refused), "tls");
    }
  });
});

Deno.test("broker refuses an unknown authority unless verify is false", async () => {
  await withTlsServer(async (port) => {
    const { channel } = testBroker({ names: NAMES, allow: ["127.0.0.1"] });
    const refused = await channel(get(`https://secure.test:${port}/`), never);
    assert(refused.kind === "error");
    assertEquals(refused.error, "tls");
    assertStringIncludes(refused.message, "certificate");
    for (const host of ["secure.test", "other.test"]) {
      const taken = await channel(get(`https://${host}:${port}/`, { verify: false }), never);
      assertEquals(errorOf(taken), "response 200");
    }
  });
});

Deno.test("broker with verify false still refuses inner addresses", async () => {
  const { channel } = testBroker({ names: NAMES });
  const outcome = await channel(get("https://secure.test/", { verify: false }), never);
  assertEquals(errorOf(outcome), "refused");
});

Deno.test("broker reports a server that does not speak TLS", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const port = (listener.addr as Deno.NetAddr).port;
  const serving = (async () => {
    const conn = await listener.accept();
    await conn.read(new Uint8Array(1024));
    await conn.write(new TextEncoder().encode("HTTP/1.1 400 Bad Request\r\n\r\n"));
    conn.close();
  })();
  const { channel } = testBroker({ names: NAMES, allow: ["127.0.0.1"] });
  const outcome = await channel(get(`https://secure.test:${port}/`), never);
  await serving;
  listener.close();
  assertEquals(errorOf(outcome), "tls");
});
