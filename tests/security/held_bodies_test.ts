/**
 * Bodies count against their budget for as long as Berth keeps them, whoever delays what.
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Hono } from "hono";
import net from "node:net";
import { AppError } from "../../src/errors.ts";
import type { EgressOutcome } from "../../src/egress/types.ts";
import { bodyRoom, readBody } from "../../src/execution/transport/content.ts";
import { watchReading } from "../../src/sandbox/reading.ts";
import { createHttpRelay } from "../../src/execution/interpreters/http.ts";
import { toAppError } from "../../src/http/envelopes.ts";
import type { HttpEnv } from "../../src/http/environment.ts";
import { jsonBody, readBody as readRegistryBody } from "../../src/http/plumbing/json_body.ts";
import { errorOf, get, never, testBroker, withTcpServer, write } from "../egress/harness.ts";
import { settle } from "../execution/harness.ts";

const ANSWER = `HTTP/1.1 200 OK\r\nContent-Length: 600\r\n\r\n${"x".repeat(600)}`;

Deno.test("answers of the network hold their room until the session's host has read them", async () => {
  await withTcpServer((conn) => write(conn, ANSWER), async (port) => {
    const broker = testBroker({ allow: ["127.0.0.1"], heldMaxBytes: 1000 });
    const ask = (channel = broker.channel) => channel(get(`http://127.0.0.1:${port}/`), never);
    const first = await ask();
    assert(first.kind === "response");
    // Another session's request fails while the first answer is still here.
    const second = await ask(broker.open());
    assert(second.kind === "error");
    assertStringIncludes(second.message, "Too many large responses");
    first.release?.();
    first.release?.();
    const third = await ask(broker.open());
    assert(third.kind === "response");
    third.release?.();
    assertEquals(errorOf(await ask()), "response 200");
  });
});

Deno.test("the relay gives room back when the host has taken the answer, not before", async () => {
  let released = 0;
  const outcome: EgressOutcome = {
    kind: "response",
    status: 200,
    reason: "OK",
    headers: [],
    body: new Uint8Array(3),
    release: () => released += 1,
  };
  const sent: { meta: unknown; onRead: (() => void) | undefined }[] = [];
  const relay = createHttpRelay(
    () => Promise.resolve(outcome),
    (command, _body, onRead) => {
      assert(command.type === "http_done");
      sent.push({ meta: JSON.parse(command.meta), onRead });
    },
  );
  const meta = JSON.stringify({
    method: "GET",
    url: "http://h/",
    headers: [],
    connect_timeout_ms: null,
    read_timeout_ms: null,
    verify: true,
  });
  const message = {
    type: "http",
    slot: 1,
    request: 1,
    call: null,
    meta,
    has_body: false,
  } as const;
  relay.handle(message, new Uint8Array());
  await settle();
  assertEquals(sent[0]!.meta, { kind: "response", status: 200, reason: "OK", headers: [] });
  assertEquals(released, 0);
  sent[0]!.onRead!();
  assertEquals(released, 1);
});

Deno.test("a body that is late holds its room until it has ended", async () => {
  const room = bodyRoom(10);
  const end = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await end.promise;
      controller.close();
    },
  });
  const request = new Request("http://localhost/", {
    method: "POST",
    headers: { "content-length": "10" },
    body,
  });
  await assertRejects(() => readBody(request, room, 1), AppError, "did not arrive");
  const other = () =>
    readBody(new Request("http://localhost/", { method: "POST", body: "x" }), room, 1000);
  await assertRejects(other, AppError, "Too many large requests");
  end.resolve();
  await new Promise((done) => setTimeout(done));
  (await other()).release();
});

Deno.test("bodies of one route are bounded together, and give their room back however they end", async () => {
  const release = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const app = new Hono<HttpEnv>();
  app.onError((error, c) => c.json({}, toAppError(error).status as 400));
  app.post("/", jsonBody({ limit: 1000, room: 1500 }), async (c) => {
    if (c.req.header("wait") !== undefined) {
      entered.resolve();
      await release.promise;
    }
    return c.json({});
  });
  const body = JSON.stringify("x".repeat(900));
  async function send(text: string, headers: Record<string, string> = {}): Promise<number> {
    const init = {
      method: "POST",
      body: text,
      headers: { "content-type": "application/json", ...headers },
    };
    return (await app.request("/", init)).status;
  }
  const waiting = send(body, { wait: "1" });
  await entered.promise;
  assertEquals(await send(body), 503);
  assertEquals(await send('"small"'), 200);
  release.resolve();
  assertEquals(await waiting, 200);
  for (const text of [body, "{", body, `"${"y".repeat(2000)}"`, body]) await send(text);
  assertEquals(await send(body), 200);
});

Deno.test("a client that goes away while it sends is not logged as a fault of Berth", async () => {
  const broken = (headers: Record<string, string> = {}) =>
    new Request("http://localhost/", {
      method: "POST",
      headers,
      body: new ReadableStream({ pull: (controller) => controller.error(new Error("aborted")) }),
    });
  for (const headers of [{}, { "content-length": "10" }]) {
    const room = bodyRoom(10);
    const failure = await assertRejects(() => readBody(broken(headers), room, 1000), AppError);
    assertEquals(failure.code, "invalid_request");
    await settle();
    room.take(10);
  }
  const failure = await assertRejects(() => readRegistryBody(broken(), 1000), AppError);
  assertEquals(failure.code, "invalid_request");
});

Deno.test("who reads nothing of what was sent is noticed, who reads slowly is not", async () => {
  const accepted = Promise.withResolvers<net.Socket>();
  const listener = net.createServer((socket) => accepted.resolve(socket.pause()));
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  const { port } = listener.address() as net.AddressInfo;
  const channel = net.connect(port, "127.0.0.1");
  const other = await accepted.promise;
  const stalled = Promise.withResolvers<void>();
  const watch = watchReading(channel, 50, stalled.resolve);
  let taken = 0;
  for (let i = 0; i < 64; i++) {
    channel.write(new Uint8Array(1 << 20), () => {
      taken += 1;
      watch.taken();
    });
    watch.wrote();
  }
  await stalled.promise;
  assert(taken < 64);
  watch.stop();
  let isStalled = false;
  const second = watchReading(channel, 20, () => isStalled = true);
  second.wrote();
  other.resume();
  while (channel.writableLength > 0) {
    second.taken();
    await new Promise((done) => setTimeout(done, 1));
  }
  assert(!isStalled);
  second.stop();
  channel.destroy();
  other.destroy();
  await new Promise((done) => listener.close(done));
});

Deno.test("bodies of requests that sandboxed code sends count while their host is looked for", async () => {
  const gate = Promise.withResolvers<string[]>();
  const { open } = testBroker({ heldMaxBytes: 1000, resolve: () => gate.promise });
  const post = (bytes: number) => get("http://slow.test/", { body: new Uint8Array(bytes) });
  const first = open()(post(600), never);
  const second = open()(post(400), never);
  // Another session's, and one that is small.
  assertEquals(errorOf(await open()(post(600), never)), "limit");
  assertEquals(errorOf(await open()(post(1), never)), "limit");
  const bare = open()(get("http://slow.test/"), never);
  gate.resolve([]);
  for (const outcome of await Promise.all([first, second, bare])) {
    assertEquals(errorOf(outcome), "dns");
  }
  assertEquals(errorOf(await open()(post(1000), never)), "dns");
});
