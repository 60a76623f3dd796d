import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { maskOf } from "../../src/execution/sessions/environment.ts";
import { LINES_PER_MINUTE_MAX } from "../../src/egress/record.ts";
import { BLOCKED_PORTS } from "../../src/egress/policy.ts";
import { errorOf, get, never, testBroker, withTcpServer, write } from "./harness.ts";

const ALLOW = ["127.0.0.1"];
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
const PATIENT = { connectTimeoutMs: 60_000, readTimeoutMs: 60_000 };
const encoder = new TextEncoder();

/** Writes `piece` until the other side has enough. */
async function forever(conn: Deno.Conn, head: string, piece: string): Promise<void> {
  await write(conn, head);
  const bytes = encoder.encode(piece);
  for (;;) await write(conn, bytes);
}

const ENDLESS: [name: string, expected: string, text: string, head: string, piece: string][] = [
  [
    "interim answers",
    "protocol",
    "the limit is 32",
    "",
    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(100),
  ],
  [
    "extensions of a chunk",
    "too_large",
    "before decompression",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;",
    "a=b;".repeat(16_384),
  ],
  [
    "one-byte chunks",
    "too_large",
    "chunks",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    "1\r\nx\r\n".repeat(10_000),
  ],
  [
    "trailers",
    "too_large",
    "",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
    "X-Trailer: 1\r\n".repeat(5000),
  ],
  [
    "chunks with long extensions",
    "too_large",
    "before decompression",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    `1;${"e".repeat(8000)}\r\nx\r\n`.repeat(8),
  ],
];

for (const [name, expected, text, head, piece] of ENDLESS) {
  Deno.test(`broker ends endless ${name} with "${expected}"`, async () => {
    await withTcpServer((conn) => forever(conn, head, piece), async (port) => {
      const outcome = await testBroker({ allow: ALLOW }).channel(
        get(`http://127.0.0.1:${port}/`, PATIENT),
        never,
      );
      assertEquals(errorOf(outcome), expected);
      assert(outcome.kind === "error");
      assertStringIncludes(outcome.message, text);
    });
  });
}

Deno.test("broker keeps a body of many small pieces whole", async () => {
  const text = Array.from({ length: 30_000 }, (_, i) => String(i % 10)).join("");
  const chunked = [...text].map((digit) => `1\r\n${digit}\r\n`).join("");
  await withTcpServer(
    (conn) =>
      write(conn, `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}0\r\n\r\n`),
    async (port) => {
      const outcome = await testBroker({ allow: ALLOW }).channel(
        get(`http://127.0.0.1:${port}/`, PATIENT),
        never,
      );
      assert(outcome.kind === "response", errorOf(outcome));
      assertEquals(new TextDecoder().decode(outcome.body), text);
    },
  );
});

Deno.test("broker lets a session move 128 MiB a minute, sent and received", async () => {
  let time = 0;
  const body = new Uint8Array(16 * 1024 * 1024);
  await withTcpServer(async (conn, head) => {
    if (head.startsWith("POST")) await drain(conn, head);
    await write(conn, `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`);
    await write(conn, body);
  }, async (port) => {
    const { channel } = testBroker({ allow: ALLOW, now: () => time });
    const url = `http://127.0.0.1:${port}/`;
    for (let i = 0; i < 3; i++) {
      const sent = await channel(get(url, { ...PATIENT, method: "POST", body }), never);
      assertEquals(errorOf(sent), "response 200");
    }
    time = 1000;
    assertEquals(errorOf(await channel(get(url, PATIENT), never)), "response 200");
    // 112 MiB so far, and what is around the bodies.
    const over = await channel(get(url, PATIENT), never);
    assert(over.kind === "error");
    assertEquals(over.error, "limit");
    assertStringIncludes(over.message, "128 MiB per minute");
    const next = await channel(get(url, PATIENT), never);
    assert(next.kind === "error");
    assertStringIncludes(next.message, "Try again in 59 s");
    time = 62_000;
    assertEquals(errorOf(await channel(get(url, PATIENT), never)), "response 200");
  });
});

/** Reads the rest of a request's body. */
async function drain(conn: Deno.Conn, head: string): Promise<void> {
  const buffer = new Uint8Array(256 * 1024);
  const length = Number(/content-length: (\d+)/i.exec(head)![1]);
  let left = length - (head.length - head.indexOf("\r\n\r\n") - 4);
  while (left > 0) {
    const count = await conn.read(buffer);
    if (count === null) return;
    left -= count;
  }
}

Deno.test("broker refuses addresses of its own machine, public ones too", async () => {
  const names = { "me.test": ["93.184.216.34"], "six.test": ["2606:2800:220:1::1"] };
  const interfaces = ["127.0.0.1", "93.184.216.34", "2606:2800:220:1::1"];
  const { channel, refused } = testBroker({ names, interfaces });
  for (const host of ["93.184.216.34", "me.test", "six.test", "[2606:2800:220:1::1]"]) {
    const outcome = await channel(get(`http://${host}:8080/`), never);
    assert(outcome.kind === "error");
    assertStringIncludes(outcome.message, "is the machine that Berth runs on");
  }
  assertEquals(refused.length, 4);
});

Deno.test("broker reaches its own machine where EGRESS_ALLOW says so", async () => {
  await withTcpServer((conn) => write(conn, OK), async (port) => {
    const interfaces = ["127.0.0.1"];
    const { channel } = testBroker({ interfaces, allow: ["127.0.0.1"] });
    assertEquals(
      errorOf(await channel(get(`http://127.0.0.1:${port}/`, PATIENT), never)),
      "response 200",
    );
  });
});

Deno.test("broker refuses the ports that browsers refuse", async () => {
  const { channel } = testBroker();
  for (const port of [1, 69, 6667, 10080]) {
    assert(BLOCKED_PORTS.has(port));
    assertEquals(errorOf(await channel(get(`http://93.184.216.34:${port}/`), never)), "refused");
  }
});

Deno.test("a flood of refusals writes few lines and tells of each", async () => {
  let time = 0;
  const { open, lines, refused } = testBroker({ now: () => time });
  const channels = Array.from({ length: 5 }, open);
  for (let i = 0; i < 300; i++) {
    await channels[i % 5]!(get(`http://10.0.0.${i % 250}/?secret=${i}`), never);
  }
  assertEquals(refused.length, 300);
  assertEquals(lines.length, LINES_PER_MINUTE_MAX + 1);
  assertStringIncludes(lines.at(-1)!, "egress.refusals_left_out");
  assert(!lines.join().includes("secret"));
  time = 60_000;
  await channels[0]!(get("http://10.0.0.1/"), never);
  assertEquals(lines.length, LINES_PER_MINUTE_MAX + 2);
});

Deno.test("the session's secrets are masked in what is written of a refusal", async () => {
  const { broker, lines, refused } = testBroker({ hosts: ["api.example"] });
  const mask = maskOf({ API_KEY: "Sk-5F1c0ffee" });
  const channel = broker.open("weather", { mask });
  const outcome = await channel(get("http://sk-5f1c0ffee.evil.test/"), never);
  assert(outcome.kind === "error");
  // The code itself knows what it asked for.
  assertStringIncludes(outcome.message, "sk-5f1c0ffee.evil.test");
  assertEquals(refused[0]!.target, "[API_KEY].evil.test:80");
  assert(!JSON.stringify([lines, refused]).toLowerCase().includes("sk-5f1c0ffee"));
});

Deno.test("a request over a limit is told of like a refused one", async () => {
  const { channel, refused } = testBroker({ now: () => 0 });
  for (let i = 0; i < 121; i++) await channel(get("nonsense"), never);
  assertEquals(refused.map(({ kind, target }) => [kind, target]), [["limit", null]]);
});
