/**
 * Stored sessions of servers that change, with the registry side and the database as they are.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../src/config.ts";
import type { Sql } from "../../../src/database/client.ts";
import { createDepot, STORED_MAX_BYTES } from "../../../src/execution/parked/depot.ts";
import { parkedStore } from "../../../src/execution/parked/store.ts";
import { removeServer } from "../../../src/registry/servers/remove.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { updateServer } from "../../../src/registry/servers/update.ts";
import { rescanServer } from "../../../src/registry/scanning/rescan.ts";
import { UpdateServer } from "../../../src/registry/schema.ts";
import { egressPolicyOf, startExecution } from "../../../src/services/execution.ts";
import { ENDED_CHANNEL } from "../../../src/services/session_events.ts";
import { until } from "../../helpers/interpreter.ts";
import { silentLogger } from "../../helpers/log.ts";
import { describeNodes } from "../../helpers/nodes.ts";
import {
  alice,
  context,
  reportOn,
  repositoryOf,
  serverInput,
  testRegistry,
} from "../../helpers/registry.ts";
import { fakeHosts } from "../fake_hosts.ts";
import { INITIALIZE, json, post } from "../harness.ts";
import { RUNTIME, testSealer } from "./memory_depot.ts";

async function startNode(sql: Sql) {
  const config = parseConfig({ WARM_SESSIONS: "0", SPARE_SESSIONS: "0" });
  const log = silentLogger();
  return await startExecution({
    keptValues: () => Promise.resolve([]),
    keepsValues: false,
    objects: null,
    config,
    sql,
    hosts: fakeHosts(),
    depot: createDepot({
      store: parkedStore(sql, STORED_MAX_BYTES),
      sealer: await testSealer(1),
      runtime: RUNTIME,
      images: null,
      maxBytes: 2 ** 30,
      log,
    }),
    egressPolicy: egressPolicyOf(config),
    log,
    authenticate: () => Promise.reject(new Error("nobody signs in")),
    noteRefusal() {},
    endpoints: [],
  });
}

/** Stores a session of each server: a node begins them, and ends. */
async function store(sql: Sql, servers: string[]): Promise<void> {
  const node = await startNode(sql);
  for (const name of servers) {
    const request = post(INITIALIZE, { name, session: name });
    const caller = { clientAddress: "192.0.2.1", requestId: "r" };
    await json(await node.transport.handle(request, caller), 200);
  }
  await node.close();
}

describeNodes((kind, open) => {
  Deno.test(`stored sessions end when their server is updated, fails a scan or is removed (${kind})`, async () => {
    const { nodes: [a, b], close } = await open();
    const names = ["updated", "failed", "removed", "kept"];
    let status: "passed" | "failed" = "passed";
    let text = "print()";
    const registry = testRegistry({ sql: a, kind: "postgres", close }, {
      scan: (request) => Promise.resolve(reportOn(request, { status })),
      fetchRepository: ({ url }) => repositoryOf(url, text),
    });
    const stored = async () =>
      (await a<{ id: string }[]>`select id from parked_sessions order by id`).map(({ id }) => id);
    try {
      for (const name of names) await createServer(registry, alice, serverInput(name), context);
      await store(a, names);
      assertEquals(await stored(), names.toSorted());

      const node = await startNode(b);
      text = "print(1)";
      const repository = { url: "https://github.com/acme/updated-again" };
      const changed = UpdateServer.parse({ version: "2.0.0", repository });
      await updateServer(registry, alice, "updated", changed, context);
      status = "failed";
      await rescanServer(registry, alice, "failed", context).then(({ done }) => done);
      await removeServer(registry, alice, "removed", context);
      // As the registry side tells it.
      await a.notify(ENDED_CHANNEL, "removed");
      const ended = ["updated", "failed", "removed"];
      await until(async () => !(await stored()).some((id) => ended.includes(id)));
      assertEquals(await stored(), ["kept"]);
      await node.close();
    } finally {
      await registry.jobs.close();
      await close();
    }
  });
});
