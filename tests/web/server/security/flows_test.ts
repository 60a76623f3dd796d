/** How data may flow, as findings say it. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Finding, SecurityReport } from "../../../../src/scan/schema.ts";
import { FlowSection } from "../../../../src/web/server/security/flow_picture.tsx";
import { dataFlows } from "../../../../src/web/server/security/flows.ts";

function finding(rule: string, title: string, more: Partial<Finding> = {}): Finding {
  return {
    id: "0123456789ab",
    stage: "security_audit",
    rule,
    severity: "high",
    cwe: null,
    title,
    detail: "",
    file: "server.py",
    line: 3,
    end_line: null,
    fingerprint: `${rule}${title}`,
    url: null,
    ...more,
  };
}

function report(issues: Finding[], runs: { kind: "sql" }[] = []): SecurityReport {
  const none = { issues: [] };
  return {
    quality_analysis: none,
    tool_discovery: none,
    dependency_audit: none,
    secrets_detection: { secrets: [] },
    python_audit: { issues },
    mcp_audit: none,
    capabilities: { runs, hosts: [], files: false, keys: [] },
  } as unknown as SecurityReport;
}

Deno.test("dataFlows() names each way once, with its worst finding, worst first", () => {
  const flows = dataFlows(
    report([
      finding("py/tool-to-shell", "a", { severity: "medium" }),
      finding("py/tool-to-shell", "b", { severity: "critical" }),
      finding("mcp/toxic-flow", "c", { severity: "low" }),
      finding("mcp/data-to-undeclared-host", "Data goes to evil.example, which is not documented"),
      finding("py/weak-hash", "d"),
    ], [{ kind: "sql" }]),
    10,
  );
  assertEquals(flows.map(({ from, to, look }) => `${from} > ${to}: ${look}`), [
    "What callers write > Commands: critical",
    "Data of tools > evil.example: high",
    "Text of strangers > Other machines: low",
    "Private data > Other machines: low",
    "What callers write > SQL: declared",
  ]);
  assertEquals(dataFlows(report([]), 10), []);
});

Deno.test("FlowSection() draws nothing that a stranger wrote as markup, and says each way in words", () => {
  const title = 'The secret "<img src=x onerror=1>" goes to <script>, which is not documented';
  const flows = report([finding("mcp/credentials-to-undeclared-host", title)]);
  const html = String(FlowSection({ report: flows, path: "/servers/x/security" }));
  assertEquals(/<img|<script/.test(html), false);
  assertStringIncludes(html, "&lt;script&gt;");
  assertStringIncludes(html, "/servers/x/security?finding=0123456789ab#findings");
  assertStringIncludes(html, "<bdi>The secret &quot;&lt;img");
  assertEquals(FlowSection({ report: report([]), path: "/" }), null);
});
