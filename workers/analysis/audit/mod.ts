/**
 * Stage 5: security audit of the code, of what the server tells the model, and what the restricted
 * profile would refuse.
 *
 * @module
 */
import { proposedVariables } from "./variables/proposed.ts";
import { sentKeys } from "./variables/sent_to.ts";
import type { AnalyserInput } from "../analyser.ts";
import { visiting } from "../files/visiting.ts";
import { inReportOrder, type RawFinding } from "../finding.ts";
import { moduleOnDemand } from "../on_demand.ts";
import { loadProject, type Project } from "../project.ts";
import { reportedPlace } from "../python/reach/embedded.ts";
import { mentions } from "../python/reach/mentions.ts";
import { handlersOf } from "../python/calls/handlers.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import type { SyntaxNode } from "../syntax/tree.ts";
import { ENGINE_WORDS } from "../templates/engines.ts";
import type { ToolDeclaration } from "../tools/declaration.ts";
import { toolsOf } from "../tools/mod.ts";
import { usedBy } from "./capabilities/used.ts";
import { damped, leftOut } from "./damping.ts";
import { dataFindings } from "./data_files.ts";
import { auditServer } from "./mcp/mod.ts";
import type { AuditedServer } from "./mcp/server.ts";
import type { AuditedCode } from "./other_languages.ts";
import { type AuditedProject, auditPython } from "./python.ts";
import { notYetSaid, scannedCode, unscannedCode } from "./python/unscanned.ts";
import { report, type Rule } from "./rule.ts";
import { scriptFindings } from "./programs/script_files.ts";

const loadOthers = moduleOnDemand<typeof import("./other_languages.ts")>(
  import.meta.url,
  "./other_languages.ts",
);
const loadTemplates = moduleOnDemand<typeof import("./templates/templates.ts")>(
  import.meta.url,
  "./templates/templates.ts",
);

const MAX_FINDINGS = 20_000;
const MAX_RUNS = 200;

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

async function handlersIn(
  project: Project,
  input: AnalyserInput,
): Promise<AuditedServer["entries"]> {
  const found: { tree: SourceTree; body: SyntaxNode }[] = [];
  for await (const tree of visiting(project.trees, input)) {
    const names = project.mayRun(tree) ? project.python.get(tree.path) : undefined;
    if (names !== undefined) {
      found.push(...handlersOf(names).map((body) => ({ tree, body })));
    }
  }
  return found;
}

/** What the audit of the code gives to the rest. */
type Audited = AuditedCode & Partial<AuditedProject>;

async function auditedCode(
  project: Project,
  tools: readonly ToolDeclaration[],
  handlers: AuditedServer["entries"],
  input: AnalyserInput,
): Promise<Audited> {
  if (input.lang === "python") return await auditPython(project, tools, handlers, input);
  return await (await loadOthers()).auditCode(project, tools, input);
}

async function templatesOf(project: Project, input: AnalyserInput): Promise<RawFinding[]> {
  const mayUse = [...project.python.values()].some((names) => mentions(names, ENGINE_WORDS));
  return mayUse ? await (await loadTemplates()).templateFindings(project, input) : [];
}

/** Audits a server. */
export async function analyse(input: AnalyserInput): Promise<unknown> {
  const project = await loadProject(input);
  const { tools } = await toolsOf(project, input);
  const handlers = await handlersIn(project, input);
  const { code, server, refused, missing, environment, sent, runs, declared } = await auditedCode(
    project,
    tools,
    handlers,
    input,
  );
  const mcp = await auditServer(project, tools, handlers, server, input);
  const unscanned = notYetSaid(unscannedCode(project, input.entrypoint), [
    ...code,
    ...declared ?? [],
  ]);
  const beside = [
    ...await templatesOf(project, input),
    ...await dataFindings(project, input),
    ...scriptFindings(project, input),
  ];
  const more = notYetSaid(beside, [...code, ...unscanned]);
  const out = leftOut(project, tools, handlers, [...code, ...unscanned, ...more]);
  const { lastLines } = project.embedded;
  const inFiles = <T extends { file: string; line: number }>(found: readonly T[]) =>
    found.map((each) => reportedPlace(each, lastLines));
  return {
    lines: project.trees.reduce((sum, { text }) => sum + text.split("\n").length, 0),
    code: inReportOrder(
      inFiles(damped(project, [...oddities(project), ...code, ...unscanned, ...more], out)),
      MAX_FINDINGS,
    ),
    mcp: inReportOrder(inFiles(damped(project, mcp, out)), MAX_FINDINGS),
    refused: refused === undefined ? null : inFiles(refused),
    missing: missing === undefined ? null : inFiles(missing),
    environment: environment === undefined
      ? null
      : proposedVariables(inFiles(environment), input.files, sent ?? sentKeys()),
    runs: inFiles(runs ?? []).slice(0, MAX_RUNS),
    used: input.lang === "python" ? usedBy(project) : null,
    scanned: input.lang === "python"
      ? await scannedCode(project, [...code, ...mcp, ...unscanned], out)
      : null,
  };
}
