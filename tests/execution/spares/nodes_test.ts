/**
 * Spare sessions of several nodes on one database, when their server changes on one of them.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../src/config.ts";
import type { Sql } from "../../../src/database/client.ts";
import { UpdateServer } from "../../../src/registry/schema.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { removeServer } from "../../../src/registry/servers/remove.ts";
import { updateServer } from "../../../src/registry/servers/update.ts";
import { rescanServer } from "../../../src/registry/scanning/rescan.ts";
import { egressPolicyOf, startExecution } from "../../../src/services/execution.ts";
import { ENDED_CHANNEL } from "../../../src/services/session_events.ts";
import { until } from "../../helpers/interpreter.ts";
import { silentLogger } from "../../helpers/log.ts";
import { describeNodes } from "../../helpers/nodes.ts";
import { alice, context, reportOn, serverInput, testRegistry } from "../../helpers/registry.ts";
import { fakeHosts } from "../fake_hosts.ts";
import { INITIALIZE, json, post } from "../harness.ts";

/** The execution side of a node; only its sandbox is in memory. */
async function startNode(sql: Sql) {
  const hosts = fakeHosts();
  const config = parseConfig({ WARM_SESSIONS: "0" });
  const execution = await startExecution({
    keptValues: () => Promise.resolve([]),
    keepsValues: false,
    objects: null,
    config,
    sql,
    hosts,
    egressPolicy: egressPolicyOf(config),
    log: silentLogger(),
    authenticate: () => Promise.reject(new Error("nobody signs in")),
    noteRefusal() {},
    endpoints: [],
  });
  const begin = async (session: string) => {
    const request = post(INITIALIZE, { session });
    const caller = { clientAddress: "192.0.2.1", requestId: "r" };
    await json(await execution.transport.handle(request, caller), 200);
  };
  return {
    execution,
    /** Spare sessions that wait. */
    spare: () => hosts.sessions.filter(({ client, closed }) => client === null && !closed),
    async demand() {
      for (let n = 0; n < 5; n++) await begin(crypto.randomUUID());
    },
  };
}

describeNodes((kind, open) => {
  Deno.test(`spare sessions of all nodes end when their server is changed, fails its scan or is removed (${kind})`, async () => {
    const { nodes, close } = await open();
    let status: "passed" | "failed" = "passed";
    const registry = testRegistry({ sql: nodes[0], kind: "postgres", close }, {
      scan: (request) => Promise.resolve(reportOn(request, { status })),
    });
    const running = await Promise.all(nodes.map(startNode));
    const spares = () => running.map((node) => node.spare());
    const oneEach = () => spares().every(({ length }) => length === 1);
    const demand = () => Promise.all(running.map((node) => node.demand()));
    try {
      await createServer(registry, alice, serverInput("weather"), context);
      await demand();
      await until(oneEach);
      const before = spares().flat();

      const changed = UpdateServer.parse({ version: "2.0.0" });
      await updateServer(registry, alice, "weather", changed, context);
      await until(() => before.every(({ closed }) => closed));
      // There is demand for the new version too.
      await until(oneEach);

      status = "failed";
      await rescanServer(registry, alice, "weather", context).then(({ done }) => done);
      await until(() => spares().flat().length === 0);
      status = "passed";
      await rescanServer(registry, alice, "weather", context).then(({ done }) => done);
      await demand();
      await until(oneEach);

      await removeServer(registry, alice, "weather", context);
      // As the registry side tells it.
      await nodes[0].notify(ENDED_CHANNEL, "weather");
      await until(() => spares().flat().length === 0);
      assertEquals(running.map(({ execution }) => execution.metrics.spares.waiting), [0, 0]);
    } finally {
      await registry.jobs.close();
      for (const { execution } of running) await execution.close();
      await close();
    }
  });
});
