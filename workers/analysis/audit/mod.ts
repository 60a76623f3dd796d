/**
 * Stage 5: security audit of the code, of what the server tells the model, and what the restricted
 * profile would refuse.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { codeIssues } from "../code/mod.ts";
import { inReportOrder, type RawFinding } from "../finding.ts";
import { loadProject, type Project } from "../project.ts";
import { handlersOf } from "../python/handlers.ts";
import { toolsOf } from "../tools/mod.ts";
import { refusedConstructs } from "./compatibility.ts";
import { missingConstructs, readVariables } from "./compatibility_full.ts";
import { javascriptFlows } from "./javascript_flow.ts";
import { auditServer } from "./mcp/mod.ts";
import { auditPython } from "./python.ts";
import { report, type Rule } from "./rule.ts";

/** Own rules that no other tool has: in a test they find what it tests. */
const OWN =
  /^py\/(?!shell-argument|unknown-host-keys|request-unverified|file-mode|weak-|unsafe-yaml)/;
const MAX_FINDINGS = 20_000;

/** Tests and documentation that the entrypoint does not reach cannot fail a scan. */
function damped(project: Project, findings: readonly RawFinding[]): RawFinding[] {
  const aside = new Set(
    [...project.trees, ...project.beyond]
      .filter(({ path, role }) => role !== "source" && !project.certain.has(path))
      .map(({ path }) => path),
  );
  return findings.map((finding) => {
    if (!aside.has(finding.file)) return finding;
    if (finding.severity === "critical") return { ...finding, severity: "medium" };
    if (OWN.test(finding.rule) && finding.severity !== "info") {
      return { ...finding, severity: "low" };
    }
    return finding.severity === "high" ? { ...finding, severity: "medium" } : finding;
  });
}

/** Bytes that are not text hide from readers; the scan looks at what is left of them. */
export const NOT_TEXT: Rule = {
  id: "source/not-text",
  severity: "low",
  cwe: 506,
  advice: "Save source as UTF-8 without NUL characters",
};

function oddities(project: Project): RawFinding[] {
  return project.trees.filter(({ odd }) => odd).map((tree) => ({
    ...report(NOT_TEXT, tree, tree.root, "The file is not valid text"),
    line: 1,
    end_line: 1,
  }));
}

/** Audits a server. */
export async function analyse(input: AnalyserInput): Promise<unknown> {
  const project = await loadProject(input);
  const { tools } = toolsOf(project, input);
  const python = input.lang === "python";
  const handlers = [...project.python.values()].filter(({ tree }) => project.mayRun(tree))
    .flatMap((names) => handlersOf(names).map((body) => ({ tree: names.tree, body })));
  const code: RawFinding[] = oddities(project);
  if (python) code.push(...await auditPython(project, tools, handlers, input));
  else {
    for (const tree of project.trees) {
      input.begin(tree.path);
      for (const { class: kind, ...finding } of codeIssues(tree)) {
        if (kind === "vulnerability" || kind === "security_hotspot") code.push(finding);
      }
    }
    code.push(...javascriptFlows(tools));
  }
  return {
    lines: project.trees.reduce((sum, { text }) => sum + text.split("\n").length, 0),
    code: inReportOrder(damped(project, code), MAX_FINDINGS),
    mcp: inReportOrder(damped(project, auditServer(project, tools, handlers, input)), MAX_FINDINGS),
    refused: python ? refusedConstructs(project) : null,
    missing: python ? missingConstructs(project) : null,
    environment: python ? readVariables(project) : null,
  };
}
