/** Sessions that outlive their node: SIGTERM to one worker, and the next request to another. */
import { assert, assertEquals } from "@std/assert";
import { type BerthProcess, startBerthProcess } from "../helpers/berth_process.ts";
import { registryClient, sendMessage } from "../helpers/clients.ts";
import { preparedDataDir } from "../helpers/data_dir.ts";
import { createServerDatabase } from "../helpers/database.ts";
import { until } from "../helpers/interpreter.ts";
import { startWorld, TEXT_TOOLS } from "../helpers/world.ts";

const DATABASE = Deno.env.get("TEST_DATABASE_URL");

Deno.test({
  name:
    "a session of a node that is told to end goes on at another one, also when its key was rotated",
  ignore: DATABASE === undefined,
  async fn() {
    const world = await startWorld();
    const database = await createServerDatabase(DATABASE!);
    const folders: string[] = [];
    const nodes: BerthProcess[] = [];
    const key = new Uint8Array(32).fill(9).toBase64();
    async function start(environment: Record<string, string>) {
      // As two containers of one image have it.
      const dataDir = await preparedDataDir();
      folders.push(dataDir);
      const node = await startBerthProcess({
        dataDir,
        environment: {
          ...world.environment,
          DATABASE_URL: database.url,
          WARM_SESSIONS: "1",
          BUILD_POLICY: "off",
          SECRETS_KEY: key,
          PARK_AFTER_SECONDS: "1",
          LOG_LEVEL: "debug",
          ...environment,
        },
      });
      nodes.push(node);
      return node;
    }
    try {
      const first = await start({});
      const call = registryClient(first.apiUrl, world.issuer.mint);
      const created = await call("POST", "/servers", { user: "ada", body: TEXT_TOOLS });
      assertEquals(created.status, 201, JSON.stringify(created.body));
      const token = await world.issuer.mint({ sub: "ada" });
      const target = { server: "text-tools", session: "moved-1", token };
      const list = (node: BerthProcess, more = {}) =>
        sendMessage(node.workerUrl, { ...target, ...more }, { id: 1, method: "tools/list" });
      const before = await list(first);
      assertEquals(before.status, 200, JSON.stringify(before.body));
      await until(() => first.log().includes("session.parked"));
      assertEquals(await first.stop(), 0, first.log());

      const second = await start({ ROLE: "worker" });
      const bob = await world.issuer.mint({ sub: "bob" });
      assertEquals((await list(second, { token: bob })).status, 404);
      const after = await list(second);
      assertEquals([after.status, after.body.result], [200, before.body.result]);
      assert(second.log().includes("session.arrived"), second.log());
      await until(() => second.log().includes("session.parked"));
      assertEquals(await second.stop(), 0, second.log());

      // While the key rotates.
      const third = await start({
        ROLE: "worker",
        SECRETS_KEY: `${new Uint8Array(32).fill(8).toBase64()} ${key}`,
      });
      assertEquals((await list(third)).status, 200, third.log());
    } finally {
      for (const node of nodes) await node.stop();
      await database.drop();
      await world.close();
      for (const folder of folders) await Deno.remove(folder, { recursive: true });
    }
  },
});
