import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { errorOf, get, never, testBroker, withTcpServer, write } from "./harness.ts";

const ALLOW = ["127.0.0.1"];
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

Deno.test("broker hands the answer on as sent, duplicate headers and compression kept", async () => {
  const gzip = new Uint8Array([0x1f, 0x8b, 1, 2, 3]);
  await withTcpServer(async (conn) => {
    await write(
      conn,
      "HTTP/1.1 418 I am a teapot\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Latin: \xe9\r\n" +
        "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\n",
    );
    await write(conn, gzip);
  }, async (port) => {
    const outcome = await testBroker({ allow: ALLOW }).channel(
      get(`http://127.0.0.1:${port}/`),
      never,
    );
    assert(outcome.kind === "response");
    assertEquals(outcome.status, 418);
    assertEquals(outcome.reason, "I am a teapot");
    assertEquals(outcome.headers.filter(([name]) => name === "Set-Cookie").map(([, v]) => v), [
      "a=1",
      "b=2",
    ]);
    assertEquals(outcome.body, gzip);
  });
});

Deno.test("broker sends method, path, query, headers and body, and frames them itself", async () => {
  await withTcpServer((conn) => write(conn, OK), async (port, heads) => {
    const { channel } = testBroker({ names: { "api.test": ["127.0.0.1"] }, allow: ALLOW });
    const body = new TextEncoder().encode('{"a":1}');
    for (const method of ["POST", "get", "DELETE", "OPTIONS", "PATCH"]) {
      const outcome = await channel(
        get(`http://user:pw@api.test:${port}/a%20b;c?q=1&q=2#frag`, {
          method,
          body,
          headers: [
            ["X-Twice", "1"],
            ["X-Twice", "2"],
            ["Connection", "keep-alive, X-Secret"],
            ["Transfer-Encoding", "chunked"],
            ["TE", "trailers"],
            ["Upgrade", "websocket"],
            ["Expect", "100-continue"],
            ["Content-Length", "7"],
            ["Host", `api.test:${port}`],
          ],
        }),
        never,
      );
      assertEquals(errorOf(outcome), "response 200");
      const head = heads.at(-1)!;
      assert(head.startsWith(`${method.toUpperCase()} /a%20b;c?q=1&q=2 HTTP/1.1\r\n`), head);
      const lines = head.toLowerCase().split("\r\n");
      assertEquals(lines.filter((line) => line.startsWith("host:")), [`host: api.test:${port}`]);
      assertEquals(lines.filter((line) => line.startsWith("content-length:")), [
        "content-length: 7",
      ]);
      assertEquals(lines.filter((line) => line.startsWith("connection:")), ["connection: close"]);
      assertEquals(lines.filter((line) => line.startsWith("x-twice:")).length, 2);
      for (const name of ["transfer-encoding", "te:", "upgrade", "expect"]) {
        assert(!lines.some((line) => line.startsWith(name)), `${name} was sent`);
      }
    }
  });
});

Deno.test("broker answers HEAD, 204 and an empty body without waiting", async () => {
  await withTcpServer(
    (conn, head) =>
      write(
        conn,
        head.startsWith("HEAD")
          ? "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"
          : "HTTP/1.1 204 No Content\r\n\r\n",
      ),
    async (port) => {
      const { channel } = testBroker({ allow: ALLOW });
      for (const [method, status] of [["HEAD", 200], ["GET", 204]] as const) {
        const outcome = await channel(get(`http://127.0.0.1:${port}/`, { method }), never);
        assert(outcome.kind === "response", errorOf(outcome));
        assertEquals(outcome.status, status);
        assertEquals(outcome.body.byteLength, 0);
      }
    },
  );
});

Deno.test("broker hands a redirect on and does not follow it", async () => {
  await withTcpServer(
    (conn) =>
      write(
        conn,
        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
      ),
    async (port, heads) => {
      const outcome = await testBroker({ allow: ALLOW }).channel(
        get(`http://127.0.0.1:${port}/`),
        never,
      );
      assertEquals(errorOf(outcome), "response 302");
      assertEquals(heads.length, 1);
    },
  );
});

async function pour(conn: Deno.Conn, head: string, piece: Uint8Array): Promise<void> {
  await write(conn, head);
  for (;;) await write(conn, piece);
}

const MEBIBYTE = new Uint8Array(1024 * 1024).fill(65);

const HOSTILE: [name: string, expected: string, answer: (conn: Deno.Conn) => Promise<void>][] = [
  [
    "an endless body",
    "too_large",
    (conn) => pour(conn, "HTTP/1.1 200 OK\r\n\r\n", MEBIBYTE),
  ],
  [
    "an announced body over the limit",
    "too_large",
    (conn) => write(conn, "HTTP/1.1 200 OK\r\nContent-Length: 16777217\r\n\r\nx"),
  ],
  [
    "an endless chunked body",
    "too_large",
    async (conn) => {
      await write(conn, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (;;) {
        await write(conn, "100000\r\n");
        await write(conn, MEBIBYTE);
        await write(conn, "\r\n");
      }
    },
  ],
  [
    "endless headers",
    "too_large",
    (conn) => pour(conn, "HTTP/1.1 200 OK\r\nX: ", MEBIBYTE.subarray(0, 65536)),
  ],
  [
    "many headers",
    "too_large",
    (conn) => pour(conn, "HTTP/1.1 200 OK\r\n", new TextEncoder().encode("a: b\r\n".repeat(5000))),
  ],
  ["garbage", "protocol", (conn) => write(conn, "SSH-2.0-OpenSSH_9.9\r\n\r\n")],
  [
    "a truncated body",
    "truncated",
    (conn) => write(conn, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
  ],
  [
    "chunks without an end",
    "truncated",
    (conn) => write(conn, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
  ],
  ["a closed connection", "protocol", () => Promise.resolve()],
  [
    "two lengths",
    "truncated",
    (conn) => write(conn, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
  ],
  [
    "a length and chunks",
    "protocol",
    (conn) =>
      write(
        conn,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
      ),
  ],
  [
    "an upgrade",
    "protocol",
    (conn) =>
      write(conn, "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"),
  ],
];

for (const [name, expected, answer] of HOSTILE) {
  Deno.test(`broker ends ${name} with "${expected}"`, async () => {
    await withTcpServer(answer, async (port) => {
      const outcome = await testBroker({ allow: ALLOW }).channel(
        get(`http://127.0.0.1:${port}/`),
        never,
      );
      assertEquals(errorOf(outcome), expected);
    });
  });
}

const SLOW: [name: string, answer: (conn: Deno.Conn, stop: AbortSignal) => Promise<void>][] = [
  ["headers that never come", () => Promise.resolve()],
  ["a body that stops", (conn) => write(conn, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab")],
];

for (const [name, answer] of SLOW) {
  Deno.test(`broker gives up on ${name} after the read timeout`, async () => {
    const stop = new AbortController();
    await withTcpServer(async (conn) => {
      await answer(conn, stop.signal);
      await new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
    }, async (port) => {
      const outcome = await testBroker({ allow: ALLOW }).channel(
        get(`http://127.0.0.1:${port}/`, { readTimeoutMs: 300 }),
        never,
      );
      stop.abort();
      assertEquals(errorOf(outcome), "read_timeout");
    });
  });
}

Deno.test("broker stops when the caller cancels, before and during the exchange", async () => {
  const stop = new AbortController();
  await withTcpServer(
    () => new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve())),
    async (port) => {
      const { channel } = testBroker({ allow: ALLOW });
      const late = new AbortController();
      const pending = channel(get(`http://127.0.0.1:${port}/`), late.signal);
      setTimeout(() => late.abort(), 50);
      const outcome = await pending;
      stop.abort();
      assert(outcome.kind === "error");
      assertStringIncludes(outcome.message, "cancelled");
      const early = await channel(get(`http://127.0.0.1:${port}/`), AbortSignal.abort());
      assertEquals(errorOf(early), "protocol");
    },
  );
});

Deno.test("broker reports a refused connection and an unknown name", async () => {
  const { channel } = testBroker({ allow: ["127.0.0.0/8"] });
  // Nobody else can have the port on all addresses while it is taken on one.
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  assertEquals(errorOf(await channel(get(`http://127.0.0.9:${port}/`), never)), "connect");
  listener.close();
  assertEquals(errorOf(await channel(get("http://nowhere.test/"), never)), "dns");
});

Deno.test("broker tries the next address of a name when one does not answer", async () => {
  await withTcpServer((conn) => write(conn, OK), async (port) => {
    const names = { "two.test": ["127.0.0.9", "127.0.0.1"] };
    const { channel } = testBroker({ names, allow: ["127.0.0.0/8"] });
    assertEquals(errorOf(await channel(get(`http://two.test:${port}/`), never)), "response 200");
  });
});

Deno.test("broker ends a slow drip when the request's whole time is over", async () => {
  await withTcpServer(async (conn) => {
    await write(conn, "HTTP/1.1 200 OK\r\n\r\n");
    for (;;) {
      await write(conn, "x");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }, async (port) => {
    let said = "";
    // On a busy machine the time may be over before there is a connection.
    for (let ms = 1500; ms < 60_000 && !said.startsWith("read_timeout"); ms *= 2) {
      const { channel } = testBroker({ allow: ALLOW, totalTimeoutMs: ms });
      const outcome = await channel(get(`http://127.0.0.1:${port}/`), never);
      assert(outcome.kind === "error");
      said = `${outcome.error}: ${outcome.message}`;
    }
    assertMatch(said, /^read_timeout: .* limit of [\d.]+ s/);
  });
});

Deno.test("broker gives up on a name that is not resolved in time, and bounds lookups", async () => {
  const { channel, open } = testBroker({ resolve: () => new Promise(() => {}) });
  const slow = get("http://slow.test/", { connectTimeoutMs: 20 });
  for (let i = 0; i < 8; i++) {
    assertEquals(errorOf(await channel(slow, never)), "connect_timeout");
  }
  const ninth = await channel(slow, never);
  assert(ninth.kind === "error");
  assertEquals(ninth.error, "limit");
  assertStringIncludes(ninth.message, "a session may have 8");
  const others = Array.from({ length: 16 }, open);
  const outcomes = await Promise.all(
    others.flatMap((one) => Array.from({ length: 8 }, () => one(slow, never))),
  );
  assertEquals(outcomes.filter((outcome) => errorOf(outcome) === "limit").length, 8);
});

Deno.test("broker gives up on a server that does not greet within the connect timeout", async () => {
  // Nobody accepts, so the TLS handshake stays unanswered.
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const port = (listener.addr as Deno.NetAddr).port;
  const { channel } = testBroker({ allow: ALLOW });
  const url = `https://127.0.0.1:${port}/`;
  const outcome = await channel(get(url, { connectTimeoutMs: 200 }), never);
  assertEquals(errorOf(outcome), "connect_timeout");
  listener.close();
});

Deno.test("broker's read timeout is between two pieces, not for the whole answer", async () => {
  await withTcpServer(async (conn) => {
    await write(conn, "HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n");
    for (let i = 0; i < 14; i++) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await write(conn, "x");
    }
  }, async (port) => {
    const { channel } = testBroker({ allow: ALLOW });
    const request = get(`http://127.0.0.1:${port}/`, { readTimeoutMs: 6000 });
    let outcome = errorOf(await channel(request, never));
    // A busy machine may stand still for as long, once.
    for (let again = 0; again < 3 && outcome === "read_timeout"; again++) {
      outcome = errorOf(await channel(request, never));
    }
    assertEquals(outcome, "response 200");
  });
});

Deno.test("broker reads bodies in chunks, until the close, and after interim answers", async () => {
  const answers = [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3;x=y\r\ncde\r\n0\r\nT: 1\r\n\r\n",
    "HTTP/1.0 200 OK\r\n\r\nabcde",
    "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde",
  ];
  for (const answer of answers) {
    await withTcpServer((conn) => write(conn, answer), async (port) => {
      const outcome = await testBroker({ allow: ALLOW }).channel(
        get(`http://127.0.0.1:${port}/`),
        never,
      );
      assert(outcome.kind === "response", errorOf(outcome));
      assertEquals([outcome.status, new TextDecoder().decode(outcome.body)], [200, "abcde"]);
    });
  }
});

Deno.test("broker never answers one request with the answer to another", async () => {
  await withTcpServer(
    (conn) =>
      write(conn, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\n\r\nstolen"),
    async (port) => {
      const { channel } = testBroker({ allow: ALLOW });
      for (let i = 0; i < 5; i++) {
        const outcome = await channel(get(`http://127.0.0.1:${port}/`), never);
        assert(outcome.kind === "response", errorOf(outcome));
        assertEquals(new TextDecoder().decode(outcome.body), "a");
      }
    },
  );
});
