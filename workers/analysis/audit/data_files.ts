/**
 * Data of a repository that makes code run where a program reads it by a reader which makes objects:
 * tags of YAML, pickles, jsonpickle, configurations that name functions.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { AnalyserInput } from "../analyser.ts";
import type { RawFinding } from "../finding.ts";
import type { Project } from "../project.ts";
import { stringValue } from "../python/values/literals.ts";
import { isDangerous } from "../python/calls/sinks.ts";
import { usual } from "../python/calls/usual_name.ts";
import { grammarOf, mayBePickle, roleOf } from "../sources.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { walk } from "../syntax/tree.ts";
import { partFaults } from "../templates/expressions.ts";
import { decodeSource, lineFinder } from "../text.ts";
import { report, type Rule, rule } from "./rule.ts";

const DATA = rule(
  "py/code-in-data",
  "high",
  502,
  "Store plain values only, and use a reader that creates nothing else",
);

/** Every rule of this module. */
export const DATA_RULES: readonly Rule[] = [DATA];

const RUNNING =
  "(?:posix|nt|os|subprocess|builtins|__builtin__|sys|runpy|pty|importlib|code|shutil|socket|_posixsubprocess|commands|timeit|pdb|bdb|types|operator|functools)";
const CALLED =
  "(?:system|popen|Popen|run|call|check_output|check_call|getoutput|getstatusoutput|eval|exec|execfile|compile|__import__|import_module|getattr|open|spawn\\w*|exec[lv]p?e?|run_path|run_module|timeit|create_connection|FunctionType|CodeType|attrgetter|methodcaller)";

/** How a program reads data, and what in the data makes code run. */
interface Reader {
  /** Words of programs that read this way. */
  words: RegExp;
  binary?: boolean;
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
  {
    words: /jsonpickle/,
    hostile: at(
      new RegExp(
        `"py\\\\?/(reduce|repr|function|type|object)"\\s*:[^\\n]{0,200}\\b${RUNNING}[./]${CALLED}\\b|"py\\\\?/repr"`,
      ),
    ),
  },
  { words: /dictConfig|fileConfig|logging\.config|_target_|instantiate/, hostile: namedFunction },
  { words: /fileConfig|dictConfig|logging\.config/, hostile: evaluatedLine },
  {
    words: /pickle|joblib|\bdill\b|torch|numpy|\bnp\b|shelve/,
    binary: true,
    // Opcodes that name a function: GLOBAL, and two texts before STACK_GLOBAL.
    hostile: at(
      new RegExp(
        `c${RUNNING}(?:\\.\\w+)*\\n${CALLED}\\n|[\\x8cXVU][\\s\\S]{0,4}${RUNNING}(?:\\n|[\\x94qrh\\s\\S]{0,3}[\\x8cXVU][\\s\\S]{0,4})${CALLED}(?:\\n|\\x94|[qr\\x93])`,
      ),
    ),
  },
];

/** Bytecode and libraries, of which other rules speak. */
const COMPILED = /\.(py[cod]|so|pyd)$/;
const STRINGS = nodeTypes("string", "concatenated_string");
const MAX_STRING = 100_000;

/** Findings about data of a Python project that makes code run. */
export function dataFindings(project: Project, input: AnalyserInput): RawFinding[] {
  if (input.lang !== "python") return [];
  const running = project.trees.filter((tree) => project.mayRun(tree));
  const readers = READERS.filter(({ words }) => running.some(({ text }) => words.test(text)));
  if (readers.length === 0) return [];
  const findings: RawFinding[] = [];
  const title = "A data file in the repository runs code when it is read";
  for (const [path, bytes] of input.files) {
    if (grammarOf(path) !== null || roleOf(path) !== "source" || COMPILED.test(path)) continue;
    input.begin(path);
    const binary = mayBePickle(path, bytes);
    const { text } = decodeSource(bytes);
    const raw = binary ? Buffer.from(bytes).toString("latin1") : text;
    const found = readers.map((each) =>
      each.binary === true ? (binary ? each.hostile(raw) : -1) : each.hostile(text)
    ).find((index) => index >= 0);
    if (found === undefined) continue;
    const line = binary ? 1 : lineFinder(text)(found);
    findings.push({
      rule: DATA.id,
      severity: DATA.severity,
      cwe: `CWE-${DATA.cwe}`,
      title,
      detail: DATA.advice,
      file: path,
      line,
      end_line: line,
    });
  }
  input.begin(null);
  const texts = readers.filter(({ binary }) => binary !== true).slice(0, 2);
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
