/** Two nodes under load, one of which is killed; `deno task bench two_nodes` is the long form. */
import { assert, assertEquals } from "@std/assert";
import { startCluster } from "../helpers/cluster.ts";
import { loadNodes } from "../helpers/node_load.ts";

Deno.test({
  name:
    "a node that is killed under load costs its own sessions, which begin anew, and nobody else",
  ignore: Deno.env.get("TEST_DATABASE_URL") === undefined,
  async fn() {
    await using cluster = await startCluster(2, {
      NODE_LEASE_SECONDS: "5",
      SESSIONS_PER_CLIENT: "100",
    });
    const report = await loadNodes(cluster, {
      sessions: 8,
      callsPerSecond: 20,
      requestsPerSecond: 50,
      seconds: 12,
    });
    assertEquals(report.wrong, [], cluster.story());
    assertEquals([report.deadSessions, report.begunAnew], [4, 4], JSON.stringify(report));
    assert(report.calls > 0 && report.requests > 0, JSON.stringify(report));
  },
});
