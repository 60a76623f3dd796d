import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../src/http/app.ts";
import { listen as open } from "../../src/http/listen.ts";
import { MAX_BODY_BYTES } from "../../src/http/plumbing/json_body.ts";
import type { ScanView } from "../../src/registry/scanning/scan_schema.ts";
import { startTokenIssuer, type TokenIssuer } from "../helpers/token_issuer.ts";
import { SCAN, type Stub, stubServices } from "./stub_services.ts";

interface Listener {
  port: number;
  stub: Stub;
  issuer: TokenIssuer;
}

async function listen(
  run: (listener: Listener) => Promise<void>,
  arrange: (stub: Stub) => void = () => {},
): Promise<void> {
  const issuer = await startTokenIssuer();
  const stub = stubServices(issuer);
  arrange(stub);
  const app = createApp(stub.services);
  const listener = await open({
    hostname: "127.0.0.1",
    port: 0,
    onError: () => new Response("escaped", { status: 500 }),
  });
  listener.serve((request, info) => app.fetch(request, info));
  try {
    await run({ port: listener.port, stub, issuer });
  } finally {
    await listener.drain();
    await issuer.close();
  }
}

/** Sends all of `bytes`, or as much as the other side takes before it closes the connection. */
async function sendTo(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  try {
    for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
  } catch {
    // What it has answered until then can still be read.
  }
}

/**
 * Sends `text` over a connection of its own and reads until the other side closes it, or until
 * `enough`: a listener waits for a body that was announced, even when it has answered.
 */
async function exchange(port: number, text: string, enough?: RegExp): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await sendTo(connection, new TextEncoder().encode(text));
  const buffer = new Uint8Array(65_536);
  const decoder = new TextDecoder();
  let answer = "";
  while (!enough?.test(answer)) {
    const read = await connection.read(buffer);
    if (read === null) break;
    answer += decoder.decode(buffer.subarray(0, read), { stream: true });
  }
  return answer;
}

function raw(method: string, path: string, headers: string[], body = ""): string {
  return [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    ...headers,
    "",
    body,
  ]
    .join("\r\n");
}

Deno.test("listener: HEAD has the length of GET's body and no body", async () => {
  await listen(async ({ port }) => {
    for (
      const path of ["/api/v1/servers", "/api/v1/servers/weather/archive", "/api/v1/openapi.json"]
    ) {
      const get = await fetch(`http://127.0.0.1:${port}${path}`);
      const { byteLength } = await get.arrayBuffer();
      const answer = await exchange(port, raw("HEAD", path, []));
      const [head, body] = answer.split("\r\n\r\n");
      assertMatch(head!, new RegExp(`^content-length: ${byteLength}\\r?$`, "im"));
      assertEquals(body, "");
    }
  });
});

Deno.test("listener: a token sent twice is no token", async () => {
  await listen(async ({ port, issuer }) => {
    const header = `Authorization: Bearer ${await issuer.mint()}`;
    const answer = await exchange(port, raw("GET", "/api/v1/auth/me", [header, header]));
    assertMatch(answer, /^HTTP\/1\.1 401 /);
    assertMatch(answer, /INVALID_TOKEN/);
  });
});

Deno.test("listener: the Host header decides, not the request's target", async () => {
  await listen(async ({ port }) => {
    const rebound = raw("GET", "http://127.0.0.1/healthz", []).replace("localhost", "evil.example");
    assertMatch(await exchange(port, rebound), /^HTTP\/1\.1 403 /);
    const without = "GET /healthz HTTP/1.0\r\n\r\n";
    assertMatch(await exchange(port, without), /^HTTP\/1\.[01] 200 /);
  });
});

Deno.test("listener: a body over the limit is refused with and without its length", async () => {
  await listen(async ({ port, issuer }) => {
    const headers = [
      `Authorization: Bearer ${await issuer.mint()}`,
      "Content-Type: application/json",
    ];
    const declared = [...headers, `Content-Length: ${MAX_BODY_BYTES + 1}`];
    const large = /^HTTP\/1\.1 413 /;
    assertMatch(await exchange(port, raw("POST", "/api/v1/servers", declared), large), large);
    const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
    const chunked = [...headers, "Transfer-Encoding: chunked"];
    const request = raw("POST", "/api/v1/servers", chunked, chunk.repeat(17));
    assertMatch(await exchange(port, request, large), large);
  });
});

Deno.test("listener: raw bytes in the address are no server error", async () => {
  await listen(async ({ port }) => {
    for (const path of ["/api/v1/servers/%00", "/api/v1/servers/%C3%28", "/api/v1/servers?q=%FF"]) {
      assertMatch(await exchange(port, raw("GET", path, [])), /^HTTP\/1\.1 [24]\d\d /);
    }
  });
});

Deno.test("listener: an event stream ends its watch when the client leaves", async () => {
  const ended = Promise.withResolvers<void>();
  await listen(async ({ port }) => {
    const client = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/scans/${SCAN.id}`, {
      headers: { accept: "text/event-stream" },
      signal: client.signal,
    });
    const reader = response.body!.getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    assertMatch(first, /^event: scan\ndata: \{"id":/);
    client.abort();
    await reader.read().catch(() => {});
    await ended.promise;
  }, (stub) => {
    stub.services.registry.watchScan = async function* (_id, _caller, signal) {
      yield SCAN;
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      ended.resolve();
    };
  });
});

Deno.test("listener: event streams end at shutdown and HEAD starts none", async () => {
  const closing = new AbortController();
  let watches = 0;
  await listen(async ({ port }) => {
    const url = `http://127.0.0.1:${port}/api/v1/scans/${SCAN.id}`;
    const headers = { accept: "text/event-stream" };
    const head = await fetch(url, { method: "HEAD", headers });
    assertEquals([head.status, await head.text()], [200, ""]);
    const response = await fetch(url, { headers });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader.read();
    assertEquals(first.value?.match(/event:/g)?.length, 1);
    closing.abort();
    assertEquals((await reader.read()).done, true);
    assertEquals(watches, 0);
  }, (stub) => {
    stub.services.closing = closing.signal;
    stub.services.registry.watchScan = async function* (
      _id,
      _caller,
      signal,
    ): AsyncIterable<ScanView> {
      watches++;
      yield SCAN;
      if (!signal.aborted) {
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      }
      watches--;
    };
  });
});

Deno.test("listener: the log has the client's address, behind trusted proxies too", async () => {
  const headers = { "x-forwarded-for": "203.0.113.9" };
  for (
    const [trusted, expected] of [[[], "127.0.0.1"], [["127.0.0.0/8"], "203.0.113.9"]] as const
  ) {
    await listen(async ({ port, stub }) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/servers`, { headers });
      await response.body?.cancel();
      const line = stub.lines.find(({ event }) => event === "http.request");
      assert(line);
      assertEquals(line.client, expected);
    }, (stub) => {
      stub.services.trustedProxies = trusted;
    });
  }
});
