import { assertEquals } from "@std/assert";
import { createServer } from "../../../src/registry/servers/create.ts";
import { getServer } from "../../../src/registry/servers/get.ts";
import { removeServer } from "../../../src/registry/servers/remove.ts";
import { rescanServer } from "../../../src/registry/scanning/rescan.ts";
import {
  compareScan,
  getScanReport,
  listScans,
} from "../../../src/registry/scanning/scan_history.ts";
import { removeOldReports, removeOldScans } from "../../../src/registry/scanning/scans.ts";
import type { Finding } from "../../../src/scan/schema.ts";
import { describeDatabases } from "../../helpers/database.ts";
import {
  alice,
  context,
  refusal,
  reportOn,
  serverInput,
  testRegistry,
} from "../../helpers/registry.ts";

const PAGE = { limit: 20 };

function findingOf(name: string): Finding {
  return {
    id: name,
    stage: "security_audit",
    rule: name,
    severity: "medium",
    cwe: null,
    title: name,
    detail: name,
    file: "server.py",
    line: 1,
    end_line: 1,
    fingerprint: name.repeat(8),
    url: null,
  };
}

describeDatabases((kind, open) => {
  Deno.test(`every stored scan is kept and comparable on ${kind}`, async () => {
    const database = await open();
    let names = ["one", "two"];
    const deps = testRegistry(database, {
      scan(request) {
        const report = reportOn(request);
        const issues = names.map(findingOf);
        const packages = [{
          name: "requests",
          ecosystem: "PyPI",
          version: "2.31.0",
          requirement: "requests==2.31.0",
          file: "requirements.txt",
        }];
        return Promise.resolve({
          ...report,
          mcp_audit: { ...report.mcp_audit, issues },
          dependency_audit: { ...report.dependency_audit, packages },
        });
      },
    });
    async function scanAgain(found: string[]): Promise<string> {
      names = found;
      // The clock steps back: the order is that of the storing.
      deps.clock.time = new Date(deps.clock.time.getTime() - 60_000);
      const { scanId, done } = await rescanServer(deps, alice, "weather", context);
      await done;
      return scanId;
    }
    try {
      await createServer(deps, alice, serverInput("weather"), context);
      const second = await scanAgain(["two", "three", "four"]);
      const third = await scanAgain(["four"]);
      const { scans } = await listScans(deps, "weather", PAGE, null);
      assertEquals(
        scans.map(({ action, version, new_issues, fixed_issues }) =>
          [action, version, new_issues, fixed_issues].join(" ")
        ),
        ["rescan 1.0.0 0 2", "rescan 1.0.0 2 1", "create 1.0.0 2 0"],
      );
      const [, , first] = scans;
      assertEquals(scans.map(({ previous }) => previous), [second, first!.id, null]);
      assertEquals(first!.status, "passed");

      const page = await listScans(deps, "weather", { limit: 2 }, null);
      assertEquals([page.scans.length, page.nextCursor], [2, second]);
      const rest = await listScans(deps, "weather", { limit: 2, cursor: second }, null);
      assertEquals([rest.scans.map(({ id }) => id), rest.nextCursor], [[first!.id], null]);
      assertEquals(
        (await listScans(deps, "weather", { limit: 2, cursor: "none" }, null)).scans,
        [],
      );

      const rules = (findings: Finding[]) => findings.map(({ rule }) => rule);
      const last = await compareScan(deps, third, null);
      assertEquals([last.with, rules(last.comparison.fixed)], [second, ["two", "three"]]);
      assertEquals(last.comparison.unchanged, 1);
      const whole = await compareScan(deps, third, null, first!.id);
      assertEquals([rules(whole.comparison.new), rules(whole.comparison.fixed)], [
        ["four"],
        ["one", "two"],
      ]);
      await createServer(deps, alice, serverInput("other"), context);
      const [other] = (await listScans(deps, "other", PAGE, null)).scans;
      await refusal(() => compareScan(deps, third, null, other!.id), "invalid_request");
      await refusal(() => compareScan(deps, third, null, "none"), "invalid_request");
      await refusal(() => getScanReport(deps, "none", null), "not_found");
      await refusal(() => listScans(deps, "nothing", PAGE, null), "not_found");

      // What was checked is with the scan, not with the record.
      const { report } = await getScanReport(deps, third, null);
      assertEquals(report.dependency_audit.packages?.length, 1);
      const { server } = await getServer(deps, "weather", null);
      assertEquals(server.security_report.dependency_audit.packages, undefined);

      await removeOldScans(deps.sql, new Date("2027-01-01T00:00:00Z"));
      const stored = (await listScans(deps, "weather", PAGE, null)).scans;
      assertEquals(stored.length, 3);
      const newest = stored[0]!.id;
      assertEquals(await removeOldReports(deps.sql, new Date("2020-01-01T00:00:00Z")), 0);
      await removeOldReports(deps.sql, new Date("2100-01-01T00:00:00Z"));
      const left = await listScans(deps, "weather", PAGE, null);
      assertEquals(left.scans.map(({ id }) => id), [newest]);
      await removeServer(deps, alice, "weather", context);
      await refusal(() => getScanReport(deps, third, null), "not_found");
      await removeOldScans(deps.sql, new Date("2027-01-01T00:00:00Z"));
      const others = await deps.sql`select id from scans`;
      assertEquals(others.length, 1);
    } finally {
      await database.close();
    }
  });
});
