/** Two nodes, one for each role, that share PostgreSQL and nothing else. */
import { assertEquals } from "@std/assert";
import { type BerthProcess, startBerthProcess } from "../helpers/berth_process.ts";
import { registryClient, sendMessage } from "../helpers/clients.ts";
import { preparedDataDir } from "../helpers/data_dir.ts";
import { until } from "../helpers/interpreter.ts";
import { createServerDatabase } from "../helpers/database.ts";
import { startWorld, TEXT_TOOLS } from "../helpers/world.ts";

const DATABASE = Deno.env.get("TEST_DATABASE_URL");

/** Asks until the answer has `status`; removals reach other nodes a moment later. */
async function statusBecomes(status: number, ask: () => Promise<{ status: number }>) {
  const deadline = performance.now() + 120_000;
  let last = 0;
  while (performance.now() < deadline) {
    last = (await ask()).status;
    if (last === status) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assertEquals(last, status);
}

async function isRefused(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).body?.cancel();
    return false;
  } catch {
    return true;
  }
}

Deno.test({
  name: "a registry node and a worker node serve one registry over PostgreSQL",
  ignore: DATABASE === undefined,
  async fn() {
    const world = await startWorld();
    const database = await createServerDatabase(DATABASE!);
    const dataDir = await preparedDataDir();
    const environment = { ...world.environment, DATABASE_URL: database.url, WARM_SESSIONS: "1" };
    const nodes: BerthProcess[] = [];
    try {
      const registry = await startBerthProcess({
        dataDir,
        environment: { ...environment, ROLE: "registry" },
      });
      nodes.push(registry);
      const worker = await startBerthProcess({
        dataDir,
        environment: { ...environment, ROLE: "worker" },
      });
      nodes.push(worker);
      assertEquals(await isRefused(registry.workerUrl), true);
      assertEquals(await isRefused(worker.registryUrl), true);

      const call = registryClient(registry.apiUrl, world.issuer.mint);
      const created = await call("POST", "/servers", { user: "ada", body: TEXT_TOOLS });
      assertEquals(created.status, 201, JSON.stringify(created.body));
      const target = { server: "text-tools", session: "split-1" };
      const list = () => sendMessage(worker.workerUrl, target, { id: 1, method: "tools/list" });
      // The registry node runs nothing; the worker hears of it, and completes the record.
      const { build } = created.body.server;
      assertEquals(build.runs, "not_tried", JSON.stringify(build));
      await until(async () => {
        const { server } = (await call("GET", "/servers/text-tools")).body;
        return server.build.runs === "yes" &&
          server.security_report.compatibility.build.tools_listed === 3;
      });
      const answer = await list();
      assertEquals(answer.body.result.tools.length, 3, JSON.stringify(answer.body));

      const token = await world.issuer.mint({ sub: "ada" });
      const mine = { server: "text-tools", session: "split-2", token };
      const ping = () => sendMessage(worker.workerUrl, mine, { id: 1, method: "ping" });
      assertEquals((await ping()).status, 200);
      const revoked = await call("DELETE", "/auth/tokens/current", { token });
      assertEquals(revoked.status, 200, JSON.stringify(revoked.body));
      await statusBecomes(401, ping);
      const refused = await ping();
      assertEquals(refused.body.error.data.error.details, { reason: "revoked" });
      assertEquals((await call("GET", "/auth/me", { token })).status, 401);

      const removed = await call("DELETE", "/servers/text-tools", { user: "ada" });
      assertEquals(removed.status, 200);
      await statusBecomes(404, list);
    } finally {
      for (const node of nodes) assertEquals(await node.stop(), 0, node.log());
      await database.drop();
      await world.close();
      await Deno.remove(dataDir, { recursive: true });
    }
  },
});
