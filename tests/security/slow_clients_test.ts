/**
 * Clients that open connections and say little, or nothing, or no HTTP, hold none of them for long,
 * and keep nobody out.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { rpcBrokenBody } from "../../src/http/execution_app.ts";
import {
  type Handler,
  listen,
  type ListenerLimits,
  type ListenOptions,
} from "../../src/http/listen.ts";

const HEAD = "GET / HTTP/1.1\r\nHost: localhost\r\n";
const POST = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n";

/** A deadline each test waits for; the others are out of reach. */
const NEVER = {
  headersMs: 600_000,
  requestMs: 600_000,
  idleMs: 600_000,
  rateWindowMs: 600_000,
  unreadMs: 600_000,
  checkMs: 20,
};

const echo: Handler = async (request) => new Response(`got ${await request.text()}`);

async function withListener(
  limits: Partial<ListenerLimits>,
  run: (port: number) => Promise<void>,
  options: Partial<ListenOptions> & { handler?: Handler } = {},
): Promise<void> {
  const listener = await listen({
    hostname: "127.0.0.1",
    port: 0,
    onError: () => new Response("escaped", { status: 500 }),
    ...options,
    limits: { ...NEVER, ...limits },
  });
  listener.serve(options.handler ?? echo);
  try {
    await run(listener.port);
  } finally {
    await listener.drain();
  }
}

async function open(port: number, text = ""): Promise<Deno.TcpConn> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await send(connection, text);
  return connection;
}

/** Sends what the other side takes. @returns Whether it took it. */
async function send(connection: Deno.Conn, text: string): Promise<boolean> {
  try {
    const bytes = new TextEncoder().encode(text);
    for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
    return true;
  } catch {
    return false;
  }
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}

/** What comes until the other side closes the connection. */
async function untilClosed(connection: Deno.Conn): Promise<string> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(16_384);
  let text = "";
  try {
    for (let n = await connection.read(buffer); n !== null; n = await connection.read(buffer)) {
      text += decoder.decode(buffer.subarray(0, n), { stream: true });
    }
  } catch {
    // Reset: closed all the same.
  }
  close(connection);
  return text;
}

/** Sends `piece` again and again until the connection is closed. */
async function drip(connection: Deno.Conn, piece: string): Promise<string> {
  const answer = untilClosed(connection);
  let open = true;
  answer.then(() => open = false);
  while (open && await send(connection, piece)) await new Promise((done) => setTimeout(done, 5));
  return await answer;
}

Deno.test("headers that never end, however they come, close the connection at their deadline", async () => {
  await withListener({ headersMs: 100 }, async (port) => {
    const answers = await Promise.all([
      untilClosed(await open(port, HEAD)),
      untilClosed(await open(port, "G")),
      drip(await open(port, HEAD), "X-More: 1\r\n"),
      drip(await open(port, HEAD), "x"),
    ]);
    for (const answer of answers) {
      assertMatch(answer, /^HTTP\/1\.1 408 [^]*did not arrive/);
    }
    assertEquals(await untilClosed(await open(port)), "");
  });
});

Deno.test("the headers of a connection's second request have the same deadline", async () => {
  await withListener({ headersMs: 100 }, async (port) => {
    const connection = await open(port, `${HEAD}\r\n`);
    const first = await connection.read(new Uint8Array(16_384));
    assert(first !== null);
    await send(connection, HEAD);
    assertMatch(await drip(connection, "x"), /^(HTTP\/1\.1 408 |$)/);
  });
});

Deno.test("a connection without a request is closed when it has been idle", async () => {
  await withListener({ idleMs: 50, headersMs: 100 }, async (port) => {
    assertMatch(await untilClosed(await open(port, `${HEAD}\r\n`)), /^HTTP\/1\.1 200 OK/);
    assertEquals(await untilClosed(await open(port)), "");
  });
});

Deno.test("a body that never ends is not waited for beyond its deadline", async () => {
  await withListener({ headersMs: 150, requestMs: 150 }, async (port) => {
    await Promise.all([
      untilClosed(await open(port, `${POST}Content-Length: 10\r\n\r\nabc`)),
      untilClosed(await open(port, `${POST}Transfer-Encoding: chunked\r\n\r\n5\r\nab`)),
      drip(await open(port, `${POST}Transfer-Encoding: chunked\r\n\r\n`), "1\r\nx\r\n"),
    ]);
  });
});

Deno.test("a body that comes a byte now and then is too slow, one that flows is not", async () => {
  await withListener({ rateWindowMs: 200, rateBytes: 20_000 }, async (port) => {
    await drip(await open(port, `${POST}Content-Length: 1000000\r\n\r\n`), "x");
    const flowing = await open(port, `${POST}Content-Length: 4000000\r\nConnection: close\r\n\r\n`);
    const answer = untilClosed(flowing);
    for (let i = 0; i < 40; i++) await send(flowing, "y".repeat(100_000));
    assertMatch(await answer, /^HTTP\/1\.1 200 OK/);
  });
});

Deno.test("a thousand half-sent headers from one address leave room for its next request", async () => {
  await withListener({ perAddress: 50, total: 100 }, async (port) => {
    const held = await Promise.all(Array.from({ length: 1000 }, () => open(port, HEAD)));
    let closed = 0;
    const endings = held.map((connection) => untilClosed(connection).then(() => closed += 1));
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } });
    assertEquals(await response.text(), "got ");
    while (closed < 950) await new Promise((done) => setTimeout(done, 10));
    held.forEach(close);
    await Promise.all(endings);
  });
});

Deno.test("requests that are being answered keep their connections; a further one is told why not", async () => {
  const release = Promise.withResolvers<void>();
  const entered: string[] = [];
  const handler: Handler = async (request) => {
    entered.push(request.url);
    await release.promise;
    return new Response("late");
  };
  await withListener({ perAddress: 3, total: 100 }, async (port) => {
    const busy = Array.from({ length: 3 }, () => open(port, `${HEAD}Connection: close\r\n\r\n`));
    const answers = (await Promise.all(busy)).map(untilClosed);
    while (entered.length < 3) await new Promise((done) => setTimeout(done, 5));
    const refused = await untilClosed(await open(port));
    assertMatch(refused, /^HTTP\/1\.1 429 /);
    assertStringIncludes(refused, "Retry-After: 5");
    release.resolve();
    for (const answer of await Promise.all(answers)) assertMatch(answer, /late$/);
    assertMatch(await untilClosed(await open(port, `${HEAD}Connection: close\r\n\r\n`)), /late$/);
  }, { handler });
});

Deno.test("a proxy's address has many clients and no limit of its own", async () => {
  const limits = { perAddress: 2, total: 100 };
  await withListener(limits, async (port) => {
    const held = await Promise.all(Array.from({ length: 20 }, () => open(port, `${HEAD}`)));
    for (const connection of held) await send(connection, "Connection: close\r\n\r\n");
    for (const answer of await Promise.all(held.map(untilClosed))) {
      assertMatch(answer, /^HTTP\/1\.1 200/);
    }
  }, { isProxy: (address) => address === "127.0.0.1" });
});

Deno.test("long calls and event streams outlive every deadline for requests", async () => {
  const release = Promise.withResolvers<void>();
  const handler: Handler = async (request) => {
    await request.text();
    if (new URL(request.url).pathname !== "/events") {
      await release.promise;
      return new Response("late");
    }
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode("data: first\n\n"));
        await release.promise;
        controller.enqueue(new TextEncoder().encode("data: last\n\n"));
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const limits = { headersMs: 50, requestMs: 50, idleMs: 50, rateWindowMs: 50, rateBytes: 1000 };
  await withListener(limits, async (port) => {
    const call = fetch(`http://127.0.0.1:${port}/call`, { method: "POST", body: "x" });
    const events = await fetch(`http://127.0.0.1:${port}/events`);
    const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
    assertEquals((await reader.read()).value, "data: first\n\n");
    // Other connections come to their ends meanwhile.
    for (let i = 0; i < 3; i++) await untilClosed(await open(port, HEAD));
    release.resolve();
    assertEquals((await reader.read()).value, "data: last\n\n");
    assertEquals(await (await call).text(), "late");
    assert((await reader.read()).done);
  }, { handler });
});

const NO_HTTP: [name: string, text: string, status: number][] = [
  ["no HTTP at all", "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400],
  ["a method that is none", "G\x00T / HTTP/1.1\r\n\r\n", 400],
  ["no version", "GET /\r\nHost: localhost\r\n\r\n", 400],
  ["a version that is none", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", 400],
  ["a header without a name", `${HEAD}: x\r\n\r\n`, 400],
  ["a length that is none", `${POST}Content-Length: 1x\r\n\r\nx`, 400],
  ["two lengths", `${POST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`, 400],
  [
    "a length and chunks",
    `${POST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  ["a chunk that is none", `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
  ["two hosts", `${HEAD}Host: other\r\n\r\n`, 400],
  ["a host that is none", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400],
  ["a tunnel", "CONNECT inner:443 HTTP/1.1\r\nHost: inner:443\r\n\r\n", 501],
  ["a method that nobody knows", "FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501],
  ["a method in small letters", "get / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501],
  ["a method of signs", "M'~X / HTTP/1.0\r\n\r\n", 501],
  ["a trace", "TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501],
  ["a track", "TRACK / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501],
  ["a method in brackets", "(GET) / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
  ["an unknown method of no version", "FOO /\r\nHost: localhost\r\n\r\n", 400],
  ["a path that is none", "GET /\\x HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
  ["HTTP/2 without a word", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["headers without an end", `${HEAD}X: ${"x".repeat(1_000_000)}\r\n\r\n`, 431],
];

for (const [name, text, status] of NO_HTTP) {
  Deno.test(`${name} is answered ${status} in the form of the listener's failures`, async () => {
    for (const brokenBody of [undefined, rpcBrokenBody]) {
      await withListener({}, async (port) => {
        const answer = await untilClosed(await open(port, text));
        const [head = "", body = ""] = answer.split("\r\n\r\n");
        assertMatch(head, new RegExp(`^HTTP/1\\.1 ${status} `));
        assertMatch(head, /\r\ncontent-type: application\/json/i);
        for (const allowed of ["origin: \\*", "methods: GET, POST, PUT", "headers: Content-Type"]) {
          assertMatch(head, new RegExp(`\r\naccess-control-allow-${allowed}`, "i"));
        }
        const failure = JSON.parse(body);
        const envelope = brokenBody === undefined ? failure : failure.error.data;
        assertEquals(envelope.status, "error");
        assertMatch(envelope.request_id, /^[0-9a-f-]{36}$/);
        assertMatch(head, new RegExp(`\r\nx-request-id: ${envelope.request_id}\r\n`, "i"));
        if (brokenBody !== undefined) assertEquals(failure.id, null);
      }, brokenBody === undefined ? {} : { brokenBody });
    }
  });
}

Deno.test("a request that says it is two is one, or none", async () => {
  const urls: string[] = [];
  const handler: Handler = async (request) => {
    urls.push(new URL(request.url).pathname);
    await request.text();
    return new Response("");
  };
  const smuggled = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";
  await withListener({}, async (port) => {
    for (
      const header of [
        "Content-Length: 0\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding : chunked",
        "Content-Length: +5",
        "Content-Length: 0x5",
      ]
    ) await untilClosed(await open(port, `${POST}${header}\r\n\r\n${smuggled}`));
  }, { handler });
  assert(!urls.includes("/smuggled"), urls.join());
});

Deno.test("offers of other protocols and unknown expectations leave a request what it is", async () => {
  await withListener({}, async (port) => {
    for (
      const header of [
        "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk",
        "Connection: Upgrade, close\r\nUpgrade: websocket",
        "Connection: close\r\nExpect: 100-continue",
        "Connection: close\r\nExpect: more",
      ]
    ) {
      const answer = await untilClosed(
        await open(port, `${POST}${header}\r\nContent-Length: 3\r\n\r\nabc`),
      );
      assertMatch(answer, /HTTP\/1\.1 200 OK[^]*got abc$/, header);
    }
  });
});

const LARGE = "x".repeat(16 << 20);

function endless(): Response {
  const piece = new TextEncoder().encode(`data: ${"y".repeat(60_000)}\n\n`);
  const body = new ReadableStream({ pull: (controller) => controller.enqueue(piece) });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}

Deno.test("an answer that nobody reads, whole, in pieces or of events without end, closes the connection", async () => {
  const answers: Record<string, () => Response> = {
    whole: () => Response.json(LARGE),
    text: () => new Response(LARGE),
    events: endless,
  };
  for (const [kind, answer] of Object.entries(answers)) {
    const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
    const handler: Handler = (request) => {
      request.signal.addEventListener("abort", () => onClosed());
      return answer();
    };
    await withListener({ unreadMs: 100, unreadRate: 1 << 30 }, async (port) => {
      const connection = await open(port, `${HEAD}\r\n`);
      await closed;
      const text = await untilClosed(connection);
      assert(text.length < LARGE.length, kind);
    }, { handler });
  }
});

Deno.test("an answer that is read, and one that has nothing to say yet, keep their connections", async () => {
  const { promise: last, resolve: onLast } = Promise.withResolvers<void>();
  const handler: Handler = () => {
    const body = new ReadableStream({
      async pull(controller) {
        controller.enqueue(new TextEncoder().encode(LARGE));
        await last;
        controller.enqueue(new TextEncoder().encode("the end"));
        controller.close();
      },
    });
    return new Response(body);
  };
  await withListener({ unreadMs: 50, unreadRate: 1 }, async (port) => {
    const connection = await open(port, `${HEAD}Connection: close\r\n\r\n`);
    const answer = untilClosed(connection);
    await new Promise((done) => setTimeout(done, 500));
    onLast();
    assertStringIncludes(await answer, "the end");
  }, { handler });
});

Deno.test("requests sent ahead are answered one after the other", async () => {
  const begun: string[] = [];
  let atOnce = 0;
  let most = 0;
  const handler: Handler = async (request) => {
    most = Math.max(most, ++atOnce);
    begun.push(new URL(request.url).pathname);
    await new Promise((done) => setTimeout(done, 5));
    atOnce--;
    return new Response(`answer ${begun.length}`);
  };
  const request = (path: string, more = "") =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
  await withListener({}, async (port) => {
    const paths = Array.from({ length: 10 }, (_, i) => `/${i}`);
    const ahead = paths.map((path) => request(path)).join("");
    const text = await untilClosed(
      await open(port, ahead + request("/last", "Connection: close\r\n")),
    );
    assertEquals(begun, [...paths, "/last"]);
    assertEquals(text.match(/answer \d+/g), begun.map((_, i) => `answer ${i + 1}`));
    assertEquals(most, 1);
  }, { handler });
});

Deno.test("requests sent ahead without end, whose answers nobody reads, are not worked on", async () => {
  let begun = 0;
  const handler: Handler = () => {
    begun++;
    return Response.json(LARGE);
  };
  await withListener({}, async (port) => {
    const connection = await open(port, `${HEAD}\r\n`.repeat(200));
    await untilClosed(connection);
    assertEquals(begun, 1);
  }, { handler });
});
