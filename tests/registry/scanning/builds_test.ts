import { assertEquals, assertStringIncludes } from "@std/assert";
import type { BuildOutcome, BuildRequest } from "../../../src/registry/deps.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { findRunnable, getServer } from "../../../src/registry/servers/get.ts";
import { listServers } from "../../../src/registry/servers/list.ts";
import { ListQuery } from "../../../src/registry/schema.ts";
import { buildDue } from "../../../src/registry/scanning/builds.ts";
import { getScanReport, listScans } from "../../../src/registry/scanning/scan_history.ts";
import { rescanServer } from "../../../src/registry/scanning/rescan.ts";
import { notTried } from "../../../src/scan/build.ts";
import type { ScanStatus } from "../../../src/scan/schema.ts";
import type { Database } from "../../../src/database/open.ts";
import { describeDatabases } from "../../helpers/database.ts";
import { callerOf, reportOn, serverInput, testRegistry } from "../../helpers/registry.ts";

const alice = callerOf("alice");
const context = { requestId: "req-1" };
const COMPATIBILITY = { restricted: true, refused: [] };
const UNTIL_NEXT_MS = 60_000;
const never = new AbortController().signal;

const RUNS: BuildOutcome = {
  build: {
    runs: "yes",
    profile: "full",
    problem: null,
    reason: null,
    tools_listed: 2,
    duration_ms: 5,
  },
  tools: [{ name: "hello", description: null }, { name: "made", description: "Made" }],
  again: false,
};
const BROKEN: BuildOutcome = {
  build: {
    ...RUNS.build,
    runs: "no",
    problem: {
      kind: "missing_package",
      subject: "torch",
      message: "No module named 'torch'\0",
      file: "server.py",
      line: 3,
      hint: "Use another",
      variables: [],
    },
    tools_listed: null,
  },
  tools: [],
  again: false,
};
const ELSEWHERE: BuildOutcome = { ...notTried("A worker node tries it"), again: true };

/** A registry whose builds say `outcome`, whatever is built. */
function building(database: Database, outcome: BuildOutcome, status: ScanStatus = "passed") {
  const requests: BuildRequest[] = [];
  const deps = testRegistry(database, {
    scan(request) {
      const report = reportOn(request, { status });
      const scanned = { files: ["server.py"], texts: [], computed: false };
      const source = { ...report.source, scanned };
      return Promise.resolve({ ...report, compatibility: COMPATIBILITY, source });
    },
    build(request) {
      requests.push(request);
      return Promise.resolve(outcome);
    },
  });
  return Object.assign(deps, { requests });
}

async function listed(deps: { sql: Database["sql"] }, name: string) {
  const { servers } = await listServers(deps, ListQuery.parse({}), null);
  return servers.find((server) => server.name === name)!;
}

describeDatabases((kind, open) => {
  Deno.test(`a scan ends with its build, on ${kind}`, async (t) => {
    const database = await open();
    try {
      await t.step("what it says is in report, record, list and history", async () => {
        const deps = building(database, RUNS);
        const server = await createServer(deps, alice, serverInput("runs"), context);
        assertEquals(server.build, { runs: "yes", reason: null });
        assertEquals((await listed(deps, "runs")).build, server.build);
        const { compatibility, tool_discovery, summary } = server.security_report;
        assertEquals(compatibility, { ...COMPATIBILITY, build: RUNS.build });
        assertEquals(tool_discovery.built, [{ name: "made", description: "Made" }]);
        assertEquals(tool_discovery.found.map(({ name }) => name), ["hello"]);
        assertEquals([summary.total_issues_all_scanners, server.tools.names], [
          0,
          ["hello", "made"],
        ]);
        const [request] = deps.requests;
        assertEquals([request!.server, request!.scanStatus, request!.scanned?.files], [
          "runs",
          "passed",
          ["server.py"],
        ]);
        const { scannedTools } = (await findRunnable(database.sql, "runs"))!;
        assertEquals(scannedTools, { names: ["hello"], built: ["made"], atRunTime: false });
      });

      await t.step("one that fails changes no verdict, and recommends what to do", async () => {
        const deps = building(database, BROKEN);
        const { security_report: report, build } = await createServer(
          deps,
          alice,
          serverInput("broken"),
          context,
        );
        assertEquals([report.status, report.summary.scan_passed], ["passed", true]);
        assertEquals(build, { runs: "no", reason: "missing package torch (server.py:3)" });
        assertEquals(report.recommendations, [
          "The server does not run here: missing package torch (server.py:3). Use another.",
        ]);
        assertStringIncludes(report.compatibility!.build!.problem!.message, "torch");
      });

      await t.step("a server in another language has none", async () => {
        const deps = building(database, RUNS);
        const server = await createServer(
          deps,
          alice,
          serverInput("rs", { lang: "rust" }),
          context,
        );
        assertEquals([server.build, deps.requests], [null, []]);
      });

      await t.step("a node without builds says nothing", async () => {
        const { build, security_report } = await createServer(
          testRegistry(database),
          alice,
          serverInput("silent"),
          context,
        );
        assertEquals([build, security_report.compatibility], [null, undefined]);
      });
    } finally {
      await database.close();
    }
  });

  Deno.test(`builds that no node has tried are done by the next one that can, on ${kind}`, async (t) => {
    const database = await open();
    const { sql } = database;
    const registry = building(database, ELSEWHERE);
    const worker = (outcome: BuildOutcome) => ({
      sql,
      log: registry.log,
      now: registry.now,
      build: () => Promise.resolve(outcome),
    });
    const pass = (ms: number) => {
      registry.clock.time = new Date(registry.clock.time.getTime() + ms);
    };
    try {
      const before = await createServer(registry, alice, serverInput("weather"), context);
      assertEquals(before.build, { runs: "not_tried", reason: "A worker node tries it" });

      await t.step("a full node leaves it for later", async () => {
        const full = { ...notTried("This node is full"), again: true };
        assertEquals(await buildDue(worker(full), never), ["weather"]);
        assertEquals((await listed(registry, "weather")).build?.reason, "This node is full");
        assertEquals(await buildDue(worker(RUNS), never), []);
        pass(UNTIL_NEXT_MS);
      });

      await t.step("a node that is shut down in the middle gives it back", async () => {
        const closing = new AbortController();
        const stopped = {
          ...worker(RUNS),
          build() {
            closing.abort(new Error("Berth is shutting down"));
            return Promise.reject(closing.signal.reason);
          },
        };
        assertEquals(await buildDue(stopped, closing.signal), ["weather"]);
        pass(UNTIL_NEXT_MS);
      });

      await t.step("of two nodes one takes it", async () => {
        const taken = await Promise.all([
          buildDue(worker(RUNS), never),
          buildDue(worker(RUNS), never),
        ]);
        assertEquals(taken.flat(), ["weather"]);
      });

      await t.step("and the record, its report and its scan say what came of it", async () => {
        const { server } = await getServer(registry, "weather", null);
        assertEquals([server.build?.runs, server.tools.names], ["yes", ["hello", "made"]]);
        assertEquals(server.security_report.compatibility?.build, RUNS.build);
        const { scans: [scan] } = await listScans(registry, "weather", { limit: 1 }, null);
        const { report } = await getScanReport(registry, scan!.id, null);
        assertEquals(report.compatibility?.build, RUNS.build);
        assertEquals(await buildDue(worker(RUNS), never), []);
      });

      await t.step("a scan that was stored in the middle is not overwritten", async () => {
        await rescanServer(registry, alice, "weather", context).then(({ done }) => done);
        const slow = {
          ...worker(BROKEN),
          async build() {
            const now = building(database, RUNS);
            await rescanServer(now, alice, "weather", context).then(({ done }) => done);
            return BROKEN;
          },
        };
        assertEquals(await buildDue(slow, never), ["weather"]);
        assertEquals((await listed(registry, "weather")).build, { runs: "yes", reason: null });
      });
    } finally {
      await database.close();
    }
  });
});
