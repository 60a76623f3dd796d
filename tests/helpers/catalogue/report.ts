/**
 * What the scans and builds of the catalogue's servers say: tools with parameters, findings of each
 * kind, READMEs.
 *
 * @module
 */
import type { ListedTool } from "../../../src/scan/listed_tools_schema.ts";
import type { Finding, SecurityReport, Severity } from "../../../src/scan/schema.ts";
import type { CatalogueServer } from "./families.ts";

const PARAMETERS: Record<string, Record<string, unknown>> = {
  query: { type: "string", description: "Words to look for; all of them must occur" },
  limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
  order: { enum: ["newest", "oldest", "relevance"], default: "relevance" },
  address: {
    type: "object",
    description: "Where to",
    properties: {
      street: { type: "string" },
      city: { type: "string" },
      country: { type: "string", pattern: "^[A-Z]{2}$" },
    },
    required: ["city"],
  },
  recipients: {
    type: "array",
    items: { type: "string", format: "email" },
    minItems: 1,
    description:
      "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft@example.com",
  },
  dry_run: {
    type: "boolean",
    default: false,
    description: "Say what would happen, and do nothing",
  },
};

/** A tool as its server would list it, after its name. */
function listedTool(name: string, dice: (of: string, limit: number) => number): ListedTool {
  const names = Object.keys(PARAMETERS).filter((parameter) =>
    dice(`${name} ${parameter}`, 3) === 0
  );
  const words = name.replaceAll("_", " ");
  const isReading = /^(?:get|list|search|read|find|query|describe)/.test(name);
  return {
    name,
    title: null,
    description: dice(`${name} described`, 5) === 0
      ? null
      : `${words[0]!.toUpperCase()}${words.slice(1)}. ${
        names.length > 2 ? "Results come in pages; ask again with the cursor of the last one." : ""
      }`.trim(),
    input_schema: {
      type: "object",
      properties: Object.fromEntries(names.map((one) => [one, PARAMETERS[one]])),
      required: names.filter((one) => ["query", "address", "recipients"].includes(one)),
    },
    output_schema: null,
    annotations: { readOnlyHint: isReading, destructiveHint: /delete|remove|drop/.test(name) },
  };
}

const KINDS: readonly [rule: string, severity: Severity, title: string, times: number][] = [
  ["py/tool-to-shell", "high", "A parameter of `%` reaches a shell", 2],
  ["mcp/toxic-flow", "medium", "`%` reads text of strangers, and another tool sends data out", 1],
  ["py/key-logged", "medium", "A key is written to the log", 3],
  ["S1192", "low", "A text is repeated; give it a name", 14],
  ["PLR2004", "info", "Magic value used in comparison", 4],
];

function findingsOf({ name, tools }: CatalogueServer, worst: Severity): Finding[] {
  const from = KINDS.findIndex(([, severity]) => severity === worst);
  return KINDS.slice(from).flatMap(([rule, severity, title, times]) =>
    Array.from({ length: times }, (_, at): Finding => ({
      id: `${rule}-${at}`.replaceAll("/", "-"),
      stage: "security_audit",
      rule,
      severity,
      cwe: severity === "high" ? "CWE-78" : null,
      title: title.replace("%", tools[at % tools.length] ?? name),
      detail: "Say what is allowed, and refuse everything else",
      file: at % 2 === 0 ? "server.py" : `src/${name}/handlers/requests_and_responses.py`,
      line: 1 + at,
      end_line: 1 + at,
      fingerprint: `${name} ${rule} ${at}`,
      url: null,
    }))
  );
}

/** The report of a server: `plain` with its tools as they were listed, and with findings. */
export function reportOfServer(
  plain: SecurityReport,
  server: CatalogueServer,
  dice: (of: string, limit: number) => number,
): SecurityReport {
  const worst: Severity = plain.status === "failed"
    ? "high"
    : (["medium", "low", "info", "info"] as const)[dice(`${server.name} worst`, 4)]!;
  const issues = findingsOf(server, worst);
  const listed = server.tools.map((tool) => listedTool(tool, dice));
  const severe = issues.filter(({ severity }) => severity === "high");
  const counted = issues.filter(({ severity }) => severity !== "info").length;
  return {
    ...plain,
    summary: {
      ...plain.summary,
      total_issues_all_scanners: counted,
      critical_issues: severe.length,
    },
    tool_discovery: {
      ...plain.tool_discovery,
      found: plain.tool_discovery.found.map((tool, at) => ({
        ...tool,
        signature: `${tool.name}(${Object.keys(listed[at]!.input_schema["properties"] as object)})`,
        description: listed[at]!.description,
      })),
      listed,
    },
    python_audit: {
      ...plain.mcp_audit,
      scan_passed: severe.length === 0,
      total_issues: counted,
      issues,
    },
    recommendation_details: severe.length === 0 ? [] : [{
      priority: "high",
      title: "Call programs without a shell",
      action: "Give the arguments as a list",
      findings: severe.map(({ id }) => id),
    }],
  };
}

/** A README as it is kept, after rendering; null where there is none. */
export function readmeOf(
  { name, description, tools }: CatalogueServer,
  dice: (of: string, limit: number) => number,
): string | null {
  if (dice(`${name} readme`, 4) === 0) return null;
  const rows = tools.map((tool) => `<tr><td><code>${tool}</code></td><td>What it says</td></tr>`);
  return `<h3>${name}</h3><p>${description.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>` +
    `<h4>Installation</h4><pre tabindex="0"><code>pip install ${name} &amp;&amp; ${name} --transport stdio --config ` +
    `~/.config/${name}/configuration.toml</code></pre>` +
    `<table><thead><tr><th>Tool</th><th>Use</th></tr></thead><tbody>${
      rows.join("")
    }</tbody></table>` +
    `<h4>Limits</h4><ul><li>One request at a time</li><li>Pages of at most 100 entries</li></ul>`;
}
