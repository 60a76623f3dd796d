/**
 * Two nodes under load, one of which is killed half-way: 300 sessions, 200 calls and 500 requests to
 * the registry a second, for 10 minutes, or as many as are named. Needs `TEST_DATABASE_URL`.
 *
 *     deno task bench two_nodes [MINUTES] [SESSIONS]
 *
 * @module
 */
import { startCluster } from "../helpers/cluster.ts";
import { loadNodes } from "../helpers/node_load.ts";

const [minutes = 10, sessions = 300] = Deno.args.map(Number);

await using cluster = await startCluster(2, {
  SESSIONS_PER_CLIENT: "1000",
  MAX_SESSIONS: "400",
  WARM_SESSIONS: "2",
  PARK_AFTER_SECONDS: "30",
});
const report = await loadNodes(cluster, {
  sessions,
  callsPerSecond: 200,
  requestsPerSecond: 500,
  seconds: minutes * 60,
});
Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(report, null, 2)}\n`));
if (report.wrong.length > 0) Deno.exitCode = 1;
