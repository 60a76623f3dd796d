/** Findings in rows, and the addresses of single ones. */
import { assertEquals } from "@std/assert";
import type { Finding, SecurityReport } from "../../../../src/scan/schema.ts";
import {
  findingsAddress,
  readFindingsQuery,
  viewFindings,
} from "../../../../src/web/server/security/findings.ts";
import { reportOf } from "../reports.ts";

function findings(rule: string, count: number): Finding[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `${rule.length}${at}`.padStart(12, "0"),
    stage: "security_audit" as const,
    rule,
    severity: "low" as const,
    cwe: null,
    title: rule,
    detail: "",
    file: "server.py",
    line: at + 1,
    end_line: null,
    fingerprint: `${rule}${at}`,
    url: null,
  }));
}

const query = (text: string) => readFindingsQuery(new URLSearchParams(text));

Deno.test("viewFindings() shows ten of a kind as one row, and two each for itself", () => {
  const report: SecurityReport = reportOf([...findings("many", 10), ...findings("pair", 2)]);
  const view = viewFindings(report, query(""));
  assertEquals(view.groups.map(({ rows }) => rows.map((row) => row.length)), [[10, 1, 1]]);
  assertEquals([view.matching, view.pages, view.groups[0]!.count], [12, 1, 12]);
});

Deno.test("viewFindings() finds one finding by its id, and none by an id that is gone", () => {
  const report = reportOf(findings("many", 10));
  const one = viewFindings(report, query("finding=000000000043"));
  assertEquals(one.groups.flatMap(({ rows }) => rows.flat()).map(({ line }) => line), [4]);
  assertEquals(viewFindings(report, query("finding=ffffffffffff")).matching, 0);
  assertEquals(query("finding=<script>").finding, null);
  assertEquals(findingsAddress("/x", query("finding=000000000043")), "/x?finding=000000000043");
});
