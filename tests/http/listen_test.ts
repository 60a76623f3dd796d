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

Deno.test("listen() says at once that a port is taken", async () => {
  const { listener } = await open();
  await assertRejects(
    () => listen({ hostname: "127.0.0.1", port: listener.port, onError: () => new Response() }),
    Deno.errors.AddrInUse,
  );
  await listener.drain();
});
