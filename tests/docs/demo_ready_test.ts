import { assertEquals } from "@std/assert";
import { whenReady } from "../helpers/demo_ready.ts";

/** A listener that says 503 to the first `refused` requests. */
function listener(refused: number) {
  let asked = 0;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    asked++;
    const isReady = asked > refused && new URL(url).pathname === "/readyz";
    return new Response(null, { status: isReady ? 200 : 503 });
  });
  return { server, url: `http://127.0.0.1:${server.addr.port}`, asked: () => asked };
}

Deno.test("the demo invites to use it only when both listeners are ready", async () => {
  const registry = listener(2);
  const worker = listener(0);
  const running = new Promise(() => {});
  assertEquals(await whenReady([registry.url, worker.url], running), true);
  assertEquals(registry.asked(), 3);
  await Promise.all([registry.server.shutdown(), worker.server.shutdown()]);
});

Deno.test("the demo invites to nothing when Berth ends before it is ready", async () => {
  const registry = listener(Infinity);
  assertEquals(await whenReady([registry.url], Promise.resolve()), false);
  await registry.server.shutdown();
});
