import { assert, assertEquals, assertRejects } from "@std/assert";
import { listen } from "../../src/http/listen.ts";

async function open() {
  const listener = await listen({
    hostname: "127.0.0.1",
    port: 0,
    onError: () => new Response("escaped", { status: 500 }),
  });
  return { listener, url: `http://127.0.0.1:${listener.port}/` };
}

Deno.test("listen() answers 503 with Retry-After until there is a handler", async () => {
  const { listener, url } = await open();
  const early = await fetch(url);
  assertEquals(early.status, 503);
  assertEquals(early.headers.get("retry-after"), "1");
  assertEquals((await early.json()).status, "error");
  listener.serve(() => new Response("hello"));
  assertEquals(await (await fetch(url)).text(), "hello");
  await listener.drain();
});

Deno.test("listen() drains: running requests are answered, new connections refused", async () => {
  const { listener, url } = await open();
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  listener.serve(async () => {
    entered.resolve();
    await release.promise;
    return new Response("late");
  });
  const running = fetch(url);
  await entered.promise;
  const drained = listener.drain();
  release.resolve();
  const answer = await running;
  assertEquals(await answer.text(), "late");
  await drained;
  let refused = false;
  try {
    await (await fetch(url)).body?.cancel();
  } catch {
    refused = true;
  }
  assert(refused);
});

Deno.test("listen() cuts what is left after the time that it is given", async () => {
  const { listener, url } = await open();
  const entered = Promise.withResolvers<void>();
  listener.serve(() => {
    entered.resolve();
    return new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
  });
  const running = fetch(url).then((response) => response.text());
  const cut = assertRejects(() => running, TypeError);
  await entered.promise;
  assertEquals(await listener.drain(50), false);
  await cut;
});

Deno.test("listen() drains in time when nothing is left", async () => {
  const { listener } = await open();
  assertEquals(await listener.drain(60_000), true);
});

Deno.test("listen() says at once that a port is taken", async () => {
  const { listener } = await open();
  await assertRejects(
    () => listen({ hostname: "127.0.0.1", port: listener.port, onError: () => new Response() }),
    Deno.errors.AddrInUse,
  );
  await listener.drain();
});

Deno.test("an answer in JSON arrives with each of its headers, its length and its bytes", async () => {
  const { listener, url } = await open();
  const text = '{"a": "ä"}';
  listener.serve((request) => {
    const headers = new Headers([
      ["Content-Type", "application/problem+json"],
      ["Set-Cookie", "a=1"],
      ["Set-Cookie", "b=2"],
      ["X-Twice", "one"],
      ["X-Twice", "two"],
    ]);
    const status = Number(new URL(request.url).searchParams.get("status"));
    return new Response(status === 200 ? text : null, { status, headers });
  });
  const whole = await fetch(`${url}?status=200`);
  assertEquals(whole.headers.get("content-length"), "11");
  assertEquals(whole.headers.getSetCookie(), ["a=1", "b=2"]);
  assertEquals(whole.headers.get("x-twice"), "one, two");
  assertEquals(await whole.text(), text);
  for (const status of [204, 304, 404]) {
    const empty = await fetch(`${url}?status=${status}`);
    assertEquals([empty.status, await empty.text()], [status, ""]);
    assertEquals(empty.headers.getSetCookie(), ["a=1", "b=2"]);
    // What has no body by its status has no length either (RFC 9110, 8.6).
    assertEquals(empty.headers.get("content-length"), status === 404 ? "0" : null);
  }
  const head = await fetch(`${url}?status=200`, { method: "HEAD" });
  assertEquals([head.status, await head.text()], [200, ""]);
  await listener.drain();
});
