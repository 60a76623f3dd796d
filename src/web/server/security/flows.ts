/**
 * How data may flow through a server, as the findings of its report say.
 *
 * @module
 */
import { findingsOf } from "../../../scan/compare.ts";
import type { Runs } from "../../../scan/capabilities_schema.ts";
import { type Finding, type SecurityReport, SEVERITIES } from "../../../scan/schema.ts";

/** A way of data: from where, to where, and why the report says so. */
export interface DataFlow {
  from: string;
  to: string;
  /** Severity of the finding; `declared` for what a tool is for. */
  look: Finding["severity"] | "declared";
  /** The finding that says so; null for what a tool is for. */
  finding: Pick<Finding, "id" | "title"> | null;
}

const CALLERS = "What callers write";
const STRANGERS = "Text of strangers";
const PRIVATE = "Private data";
const ENVIRONMENT = "Environment and keys";
const OUT = "Other machines";

/** What a caller's words reach, by the end of the rule's name. */
const SINKS: Readonly<Record<string, string>> = {
  shell: "Commands",
  process: "Programs",
  code: "Code",
  import: "Modules",
  template: "Templates",
  pickle: "Pickled objects",
  sql: "SQL",
  query: "Database queries",
  file: "Files",
  request: "Web addresses",
  regex: "Patterns",
  format: "Format strings",
};

const RUNS: Record<Runs, string> = {
  sql: "SQL",
  commands: "Commands",
  code: "Code",
  clipboard: "Clipboard",
  screen: "Screen",
  instructions: "Instruction files",
  assistants: "Assistants' settings",
  docker: "Container engine",
  frames: "Other functions",
};

const HOST = / goes to (\S{1,253}), which is not documented$/;
const SECRET = /^The secret "([^"]{1,60})" goes to /;

function shown(text: string): string {
  return text.replaceAll("`", "");
}

function toolSink(rule: string): string | null {
  const sink = /^(?:py|js)\/tool-to-([a-z]+)$/.exec(rule)?.[1];
  return sink === undefined ? null : SINKS[sink] ?? sink;
}

/** The ways that one finding is about; none for most. */
function waysOf({ rule, title }: Finding): [from: string, to: string][] {
  const sink = toolSink(rule);
  if (sink !== null) return [[CALLERS, sink]];
  const host = HOST.exec(title)?.[1];
  switch (rule) {
    case "mcp/toxic-flow":
      return [[STRANGERS, OUT], [PRIVATE, OUT]];
    case "mcp/data-to-undeclared-host":
      return [["Data of tools", shown(host ?? OUT)]];
    case "mcp/credentials-to-undeclared-host":
      return [[shown(SECRET.exec(title)?.[1] ?? ENVIRONMENT), shown(host ?? OUT)]];
    case "py/environment-returned":
      return [[ENVIRONMENT, "Results of tools"]];
    case "py/environment-sent":
    case "js/environment-sent":
    case "py/key-sent":
    case "py/credentials-sent":
      return [[ENVIRONMENT, OUT]];
    case "py/elicited-secret-sent":
      return [["Answers of users", OUT]];
    case "py/hidden-recipient":
      return [["Data of tools", "A hidden recipient"]];
    case "py/key-logged":
      return [[ENVIRONMENT, "Logs"]];
    default:
      return [];
  }
}

function rank({ look }: DataFlow): number {
  return look === "declared" ? SEVERITIES.length : SEVERITIES.indexOf(look);
}

/** The ways of data, each once with the worst finding about it; worst first, `most` at most. */
export function dataFlows(report: SecurityReport, most: number): DataFlow[] {
  const declared = (report.capabilities?.runs ?? []).map(({ kind }): DataFlow => ({
    from: CALLERS,
    to: RUNS[kind],
    look: "declared",
    finding: null,
  }));
  const found = findingsOf(report).flatMap((finding) =>
    waysOf(finding).map(([from, to]): DataFlow => ({
      from,
      to,
      look: finding.severity,
      finding,
    }))
  );
  const flows = new Map<string, DataFlow>();
  for (const flow of [...found, ...declared]) {
    const key = JSON.stringify([flow.from, flow.to]);
    const before = flows.get(key);
    if (before === undefined || rank(flow) < rank(before)) flows.set(key, flow);
  }
  return [...flows.values()].toSorted((a, b) => rank(a) - rank(b)).slice(0, most);
}
