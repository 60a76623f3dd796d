/**
 * Data of a repository that makes code run where a program reads it by a reader which makes objects:
 * tags of YAML, pickles, jsonpickle, configurations that name functions.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import type { RawFinding } from "../finding.ts";
import type { Project } from "../project.ts";
import { stringValue } from "../python/values/literals.ts";
import { isDangerous } from "../python/calls/sinks.ts";
import { usual } from "../python/calls/usual_name.ts";
import { type PackingBudget, packingBudget } from "../secrets/packed/signatures.ts";
import { grammarOf, readsObjects, roleOf } from "../sources.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { walk } from "../syntax/tree.ts";
import { partFaults } from "../templates/expressions.ts";
import { moduleOnDemand } from "../on_demand.ts";
import { decodeSource, lineFinder } from "../text.ts";
import { runsByPickle } from "./pickles/named.ts";
import { report, type Rule, rule } from "./rule.ts";

const DATA = rule(
  "py/code-in-data",
  "high",
  502,
  "Store plain values only, and use a reader that creates nothing else",
);

const loadPickles = moduleOnDemand<typeof import("./pickles/mod.ts")>(
  import.meta.url,
  "./pickles/mod.ts",
);

/** Every rule of this module. */
export const DATA_RULES: readonly Rule[] = [DATA];

/** How a program reads data, and what in the data makes code run. */
interface Reader {
  /** Words of programs that read this way. */
  words: RegExp;
  hostile(text: string): number;
}

const at = (pattern: RegExp) => (text: string) => pattern.exec(text)?.index ?? -1;
/** What a configuration has called: a factory, a class, an object of a module, a target. */
const NAMED =
  /(?:["']?\(\)["']?\s*[:=]|_target_["']?\s*[:=]|\bclass["']?\s*[:=]|\bext:\/\/|\bcfg:\/\/)\s*["']?(?:ext:\/\/)?([A-Za-z_]\w*(?:\.\w+)+)/g;

function namedFunction(text: string): number {
  for (const found of text.matchAll(NAMED)) {
    if (isDangerous(usual(found[1]!))) return found.index;
  }
  return -1;
}

/** What jsonpickle makes, or calls, of a text. */
const JSON_NAMED =
  /"py\\?\/(reduce|repr|function|type|object|class)"\s*:\s*\[?\s*"?([A-Za-z_]\w*(?:\.\w+)*)?/g;

function namedByJson(text: string): number {
  for (const { index, 1: kind, 2: name } of text.matchAll(JSON_NAMED)) {
    if (kind === "repr" || name?.includes(".") === true && runsByPickle(name)) return index;
  }
  return -1;
}

/** Lines of a configuration of `logging` that are evaluated. */
function evaluatedLine(text: string): number {
  for (const found of text.matchAll(/^\s*(?:args|kwargs|class)\s*=\s*([^\n]*)/gm)) {
    const isCode = /__\w+__|\b(eval|exec|getattr|import_module)\s*\(/.test(found[1]!) ||
      partFaults([{ code: found[1]!, at: 0 }]).length > 0;
    if (isCode) return found.index;
  }
  return -1;
}

const READERS: readonly Reader[] = [
  {
    words:
      /\byaml\b[\s\S]*(unsafe_load|\bC?(Unsafe|Full)?Loader\b|full_load|\bload\s*\()|typ\s*=\s*["']unsafe/,
    hostile: at(/(!!|tag:yaml\.org,2002:|!)python\/(object|name|module)\b|%TAG[^\n]*python\//),
  },
  { words: /jsonpickle/, hostile: namedByJson },
  { words: /dictConfig|fileConfig|logging\.config|_target_|instantiate/, hostile: namedFunction },
  { words: /fileConfig|dictConfig|logging\.config/, hostile: evaluatedLine },
];

/** Bytecode and libraries, of which other rules speak. */
const COMPILED = /\.(py[cod]|so|pyd)$/;
const STRINGS = nodeTypes("string", "concatenated_string");
const MAX_STRING = 100_000;

const TITLE = "A data file in the repository runs code when it is read";

function found(path: string, line: number, title: string): RawFinding {
  const { id: rule, severity, cwe, advice: detail } = DATA;
  return { rule, severity, cwe: `CWE-${cwe}`, title, detail, file: path, line, end_line: line };
}

/** What a file of objects makes run. */
async function ofObjects(
  path: string,
  bytes: Uint8Array,
  left: PackingBudget,
): Promise<RawFinding | null> {
  const { hostileObject } = await loadPickles();
  const hostile = await hostileObject(path, bytes, left);
  if (hostile === null) return null;
  if (hostile.unread === true) {
    const title = "Part of this archive was not searched for objects that run code";
    return { ...found(path, 1, title), severity: "medium" };
  }
  const title = hostile.name === null
    ? "Objects in the repository are stored in a format that cannot be scanned"
    : `${TITLE}: ${hostile.name}`;
  return found(path, 1, title.slice(0, 300));
}

/** Whether the scan passes a file over unless the program names it: tests, documentation, other people's. */
function isAside(path: string, running: readonly SourceTree[]): boolean {
  if (roleOf(path) === "source") return false;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return !running.some(({ text }) => text.includes(name));
}

/** Findings about data of a Python project that makes code run. */
export async function dataFindings(project: Project, input: AnalyserInput): Promise<RawFinding[]> {
  if (input.lang !== "python") return [];
  const running = project.trees.filter((tree) => project.mayRun(tree));
  const readers = READERS.filter(({ words }) => running.some(({ text }) => words.test(text)));
  const makesObjects = running.some(({ text }) => readsObjects(text));
  if (readers.length === 0 && !makesObjects) return [];
  const findings: RawFinding[] = [];
  const left = packingBudget();
  for (const [path, bytes] of input.files) {
    if (grammarOf(path) !== null || COMPILED.test(path) || isAside(path, running)) continue;
    input.begin(path);
    const objects = makesObjects ? await ofObjects(path, bytes, left) : null;
    if (objects !== null) findings.push(objects);
    if (objects !== null || readers.length === 0) continue;
    const { text } = decodeSource(bytes);
    const index = readers.map(({ hostile }) => hostile(text)).find((each) => each >= 0);
    if (index !== undefined) findings.push(found(path, lineFinder(text)(index), TITLE));
  }
  input.begin(null);
  const texts = readers.slice(0, 2);
  for (const tree of running) {
    if (!/python\/|py\/|py\\/.test(tree.text)) continue;
    for (const node of walk(tree.root, STRINGS)) {
      const value = stringValue(tree.text, node);
      if (value === null || value.length > MAX_STRING) continue;
      if (!/python\/|py\//.test(value)) continue;
      if (texts.some(({ hostile }) => hostile(value) >= 0)) {
        findings.push(report(DATA, tree, node, "A string runs code when it is read"));
      }
    }
  }
  return findings;
}
