/** Kept values that are removed while a session that had them is stored. */
import { assertEquals } from "@std/assert";
import type { SealedSecret } from "../../../src/egress/types.ts";
import { variablesOf } from "../../../src/keys/variables.ts";
import { harness, INITIALIZE, json, memoryStore, post, rpc } from "../harness.ts";
import { memoryDepot, memoryParkedStore } from "./memory_depot.ts";

const VALUE = "sk-live-9d8c7b6a5f4e3d2c1b0a";

/** Stores a session with a kept value; what the node where it goes on sends, and answers. */
async function movedWithout(removed: boolean, hosts: string[]) {
  const store = memoryStore();
  const parked = memoryParkedStore(store);
  const origins = new Set(["me API_KEY 1"]);
  const given: SealedSecret[][] = [];
  const node = async () =>
    await harness({
      store,
      parkAfterSeconds: 120,
      depot: await memoryDepot(parked, {}),
      servers: {
        weather: {
          variables: variablesOf([{ name: "API_KEY", ...hosts.length > 0 && { hosts } }], []),
        },
      },
      keptValues: () =>
        Promise.resolve([{
          state: "ready" as const,
          name: "API_KEY",
          value: VALUE,
          hosts: hosts.length > 0 ? hosts : null,
          origin: "me API_KEY 1",
        }]),
      keptOrigins: () => Promise.resolve(origins),
      onEgress: (_server, options) => given.push([...options!.secrets ?? []]),
    });
  const first = await node();
  await json(await first.send(post(INITIALIZE, { token: "ann" })), 200);
  await first.sessions.store(1000);
  await first.sessions.close();
  if (removed) origins.clear();
  const second = await node();
  const { status } = await second.send(post(rpc("ping"), { token: "ann" }));
  return { status, withdrawn: given.at(-1)?.map(({ isWithdrawn }) => isWithdrawn === true) };
}

Deno.test("a stored session goes on without a value that was removed meanwhile", async () => {
  const hosts = ["api.example.com"];
  assertEquals(await movedWithout(false, hosts), { status: 200, withdrawn: [false] });
  assertEquals(await movedWithout(true, hosts), { status: 200, withdrawn: [true] });
});

Deno.test("a stored session whose code has the removed value does not go on", async () => {
  assertEquals((await movedWithout(false, [])).status, 200);
  assertEquals((await movedWithout(true, [])).status, 404);
});
