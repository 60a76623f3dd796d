/**
 * Two nodes under load, one of which is killed half-way: 300 sessions, 200 calls and 500 requests to
 * the registry a second, for 10 minutes, or as many as are named. Fails unless errors come only to
 * sessions of the dead node, each of which begins anew. Needs `TEST_DATABASE_URL`.
 *
 *     deno task bench two_nodes [MINUTES] [SESSIONS]
 *
 * @module
 */
import { startCluster } from "../helpers/cluster.ts";
import { loadNodes, type LoadReport } from "../helpers/node_load.ts";

const CALLS_PER_SECOND = 200;
const REQUESTS_PER_SECOND = 500;
/** So much of what was to be asked must have been asked, or it was another load. */
const REACHED = 0.95;

const [minutes = 10, sessions = 300] = Deno.args.map(Number);
const seconds = minutes * 60;

function write(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** Those that were made, whatever became of them. */
function callsOf({ calls, lostCalls, passingCalls }: LoadReport): number {
  return calls + lostCalls + passingCalls;
}

function rows(report: LoadReport): [string, string, string][] {
  const per = (count: number) => (count / seconds).toFixed(1);
  const ms = ({ median, p99 }: LoadReport["callMs"]) => `${median} ms, ${p99} ms`;
  return [
    ["minutes", String(minutes), String(minutes)],
    ["sessions", String(sessions), `${report.deadSessions} at the node that is killed`],
    ["calls a second", String(CALLS_PER_SECOND), per(callsOf(report))],
    ["requests to the registry a second", String(REQUESTS_PER_SECOND), per(report.requests)],
    ["calls: median, 99 of 100", "", ms(report.callMs)],
    ["requests: median, 99 of 100", "", ms(report.requestMs)],
    ["calls left out, as all sessions waited", "0", String(report.skipped)],
    ["requests left out, as too many waited", "0", String(report.skippedRequests)],
    ["failed calls of the dead node's sessions", "", String(report.lostCalls)],
    ["failed calls that it was passing on", "", String(report.passingCalls)],
    ["sessions begun anew, empty", String(report.deadSessions), String(report.begunAnew)],
    ["other errors", "0", String(report.wrong.length)],
  ];
}

/** What was to be shown, and whether it was. */
function assertions(report: LoadReport): [string, boolean][] {
  const isReached = callsOf(report) >= REACHED * CALLS_PER_SECOND * seconds &&
    report.requests >= REACHED * REQUESTS_PER_SECOND * seconds;
  return [
    [
      "errors only for sessions of the dead node, each followed by a clean new start",
      report.wrong.length === 0 && report.begunAnew === report.deadSessions,
    ],
    [`at least ${REACHED * 100} % of the load was there`, isReached],
  ];
}

await using cluster = await startCluster(2, {
  SESSIONS_PER_CLIENT: "1000",
  MAX_SESSIONS: "400",
  RATE_LIMIT_PUBLIC: "1000000",
  WARM_SESSIONS: "2",
  PARK_AFTER_SECONDS: "30",
});
const report = await loadNodes(cluster, {
  sessions,
  callsPerSecond: CALLS_PER_SECOND,
  requestsPerSecond: REQUESTS_PER_SECOND,
  seconds,
});
write("| | asked | measured |\n| --- | --- | --- |");
for (const row of rows(report)) write(`| ${row.join(" | ")} |`);
for (const text of report.wrong) write(`error: ${text}`);
if (cluster.nodes[0]!.log().includes('"node.lapsed"')) {
  write("note: the node that stays lost its lease, as the machine was too busy to renew it");
}
const shown = assertions(report);
for (const [what, holds] of shown) write(`${holds ? "holds" : "FAILS"}: ${what}`);
if (shown.some(([, holds]) => !holds)) Deno.exitCode = 1;
