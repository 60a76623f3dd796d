/**
 * What the execution side itself costs: a request through transport and session without a sandbox
 * behind it, and a request of sandboxed code through the broker to a server on loopback.
 *
 * @module
 */
import { testBroker } from "../egress/harness.ts";
import { harness, INITIALIZE, post, rpc } from "../execution/harness.ts";

const { send } = await harness({ callsPerMinute: 1e9 });
await send(post(INITIALIZE));

Deno.bench("ping through the transport", async () => {
  await (await send(post(rpc("ping")))).body?.cancel();
});

Deno.bench("tools/call through the transport, 1 KiB of arguments", async () => {
  const request = post(rpc("tools/call", { name: "x", arguments: { text: "x".repeat(1024) } }));
  await (await send(request)).body?.cancel();
});

const site = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen() {} },
  () => new Response("x".repeat(1024)),
);
// The limit of requests a minute is not what is measured.
let time = 0;
const { channel } = testBroker({ allow: ["127.0.0.1"], now: () => time += 1000 });

Deno.bench("egress request on loopback, 1 KiB answer", async () => {
  await channel({
    method: "GET",
    url: `http://127.0.0.1:${site.addr.port}/`,
    headers: [["User-Agent", "bench"]],
    body: null,
    connectTimeoutMs: null,
    readTimeoutMs: null,
    verify: true,
  }, new AbortController().signal);
});

globalThis.addEventListener("unload", () => void site.shutdown());
