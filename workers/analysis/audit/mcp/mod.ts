/**
 * Checks of what MCP servers tell the model, for every language.
 *
 * @module
 */
import { plural } from "../../plural.ts";
import type { AnalyserInput } from "../../analyser.ts";
import type { RawFinding } from "../../finding.ts";
import type { Project } from "../../project.ts";
import type { ToolDeclaration } from "../../tools/declaration.ts";
import { report, type Rule, rule } from "../rule.ts";
import { fileDescriptions } from "./described_by_files.ts";
import { annotationMismatches } from "./effects.ts";
import { anyHidden, type Hidden, hiddenIn, mixesScripts } from "./hidden.ts";
import { undeclaredHosts } from "./hosts.ts";
import { gravityOf, instructionsIn } from "./instructions.ts";
import { undeclaredTexts } from "./undeclared_texts.ts";
import { type AuditedServer, auditedServer } from "./server.ts";
import type { ServerFile } from "./server_file.ts";
import { modelTexts } from "./texts.ts";
import { toxicFlow } from "./toxic.ts";

const HIDDEN = rule(
  "mcp/hidden-characters",
  "high",
  451,
  "Remove characters that people cannot see",
);
const CONFUSABLE = rule(
  "mcp/confusable-name",
  "high",
  1007,
  "Use letters of a single script in a name",
);
const ORDERS = rule(
  "mcp/instructions-in-description",
  "high",
  1427,
  "Describe what the tool does, and leave decisions to the user and the model",
);
const COMMENT = rule("mcp/hidden-comment", "medium", 451, "Remove comments: the model reads them");
const PAYLOAD = rule("mcp/encoded-text", "medium", 451, "Write descriptions in plain words");
const DUPLICATE = rule("mcp/duplicate-name", "low", 694, "Give each tool a unique name");
const LONG = rule("mcp/long-description", "low", 1427, "Shorten it");

const LONG_DESCRIPTION = 8000;
const BASE64 = /(?:[A-Za-z0-9+/]{40,}\n?){3,}={0,2}/;

const quoted = ({ name }: ToolDeclaration) => `"${name.slice(0, 60)}"`;

function kinds({ tags, bidi, zeroWidth, selectors }: Hidden): string {
  return [
    tags === "" ? "" : `tag characters that spell ${JSON.stringify(tags.slice(0, 80))}`,
    bidi === 0 ? "" : plural(bidi, "direction override"),
    zeroWidth === 0 ? "" : plural(zeroWidth, "zero-width character"),
    selectors === 0
      ? ""
      : plural(selectors, "run of variation selectors", "runs of variation selectors"),
  ].filter((part) => part !== "").join(", ");
}

function hidden(tool: ToolDeclaration, texts: readonly string[]): RawFinding | null {
  const all = hiddenIn([tool.name, ...texts].join("\n"));
  if (!anyHidden(all)) return null;
  // One zero-width space comes with pasted text; many, or any other kind, carry something.
  const careless = all.tags === "" && all.bidi === 0 && all.selectors === 0 &&
    all.zeroWidth < 4 && !anyHidden(hiddenIn(tool.name));
  const severity = all.tags !== "" ? "critical" : careless ? "low" : "high";
  const title = `Tool ${quoted(tool)} contains ${kinds(all)}`;
  return report(HIDDEN, tool.tree, tool.node, title, severity);
}

function orders(tool: ToolDeclaration, texts: readonly string[]): RawFinding | null {
  const found = instructionsIn(texts.join("\n"));
  if (found.score < 2) return null;
  const title = `Description of tool ${quoted(tool)} ${found.signals.join(", ")}`;
  return report(ORDERS, tool.tree, tool.node, title, gravityOf(found));
}

function ofTool(tool: ToolDeclaration): RawFinding[] {
  const findings: (RawFinding | null)[] = [];
  const texts = modelTexts(tool);
  const say = (of: Rule, title: string) => findings.push(report(of, tool.tree, tool.node, title));
  findings.push(hidden(tool, texts), orders(tool, texts));
  if (mixesScripts(tool.name)) say(CONFUSABLE, `Tool name ${quoted(tool)} mixes scripts`);
  const description = tool.description ?? "";
  if (/<!--[\s\S]{1,2000}?-->|\[\/\/\]: #/.test(description.slice(0, 20_000))) {
    say(COMMENT, `Description of tool ${quoted(tool)} has a hidden comment`);
  }
  if (
    /\bdata:[\w/+.-]{1,60};base64,/.test(description) || BASE64.test(description.slice(0, 20_000))
  ) {
    say(PAYLOAD, `Description of tool ${quoted(tool)} contains encoded text`);
  }
  if (description.length > LONG_DESCRIPTION) {
    say(LONG, `Description of tool ${quoted(tool)} has ${description.length} characters`);
  }
  return findings.filter((each) => each !== null);
}

/**
 * All findings about what a server tells the model, and about what it does with what it is told.
 * `handlers` are functions that clients call without a tool's declaration, `files` what each file that
 * may run has.
 */
export async function auditServer(
  project: Project,
  tools: readonly ToolDeclaration[],
  handlers: AuditedServer["entries"],
  files: ReadonlyMap<string, ServerFile>,
  input: AnalyserInput,
): Promise<RawFinding[]> {
  const server = auditedServer(project, tools, handlers, files, input);
  return [
    ...auditTools(tools),
    ...describedByFiles(project, input),
    ...annotationMismatches(server),
    ...undeclaredTexts(server),
    ...await undeclaredHosts(server, input),
    ...toxicFlow(server),
  ];
}

/** What files say that descriptions are read from. */
function describedByFiles(project: Project, input: AnalyserInput): RawFinding[] {
  const running = project.trees.filter((tree) => project.mayRun(tree));
  return running.flatMap(({ path }) => {
    const names = project.python.get(path);
    return names === undefined ? [] : fileDescriptions(names, input);
  }).flatMap(({ names, node, path, text }) => {
    const found = instructionsIn(text);
    const characters = hiddenIn(text);
    const title = `A description that is read from ${path.slice(0, 100)}`;
    return [
      ...found.score < 2 ? [] : [
        report(ORDERS, names.tree, node, `${title} ${found.signals.join(", ")}`, gravityOf(found)),
      ],
      ...characters.tags === "" ? [] : [
        report(HIDDEN, names.tree, node, `${title} contains ${kinds(characters)}`, "critical"),
      ],
    ];
  });
}

function auditTools(tools: readonly ToolDeclaration[]): RawFinding[] {
  const findings = tools.flatMap(ofTool);
  const first = new Map<string, ToolDeclaration>();
  for (const tool of tools) {
    const before = first.get(tool.name);
    if (before === undefined) first.set(tool.name, tool);
    else if (before.node !== tool.node && before.tree.role === tool.tree.role) {
      findings.push(
        report(DUPLICATE, tool.tree, tool.node, `Tool ${quoted(tool)} is declared more than once`),
      );
    }
  }
  return findings;
}

/** Every rule of this module. */
export const TOOL_RULES: readonly Rule[] = [
  HIDDEN,
  CONFUSABLE,
  ORDERS,
  COMMENT,
  PAYLOAD,
  DUPLICATE,
  LONG,
];
