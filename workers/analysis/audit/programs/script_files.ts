/**
 * Scripts of shells in the repository that the server starts: they run as its own code does.
 *
 * @module
 */
import type { AnalyserInput } from "../../analyser.ts";
import type { RawFinding } from "../../finding.ts";
import type { Project } from "../../project.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import type { SourceTree } from "../../syntax/source_tree.ts";
import { type SyntaxNode, walk } from "../../syntax/tree.ts";
import { decodeSource, lineFinder } from "../../text.ts";
import { UNSCANNED } from "../python/unscanned.ts";
import { REMOTE_CODE } from "../flow/flow_rules.ts";
import type { Rule } from "../rule.ts";

const SCRIPT = /\.(sh|bash|zsh|ksh|command)$/;
const STARTS =
  /\b(subprocess|os\.(system|popen|exec|spawn|posix_spawn)|Popen|create_subprocess|pexpect|pty\.spawn|sh\.)/;
const STRINGS = nodeTypes("string", "concatenated_string");
/** Reads the documentation of what another module has, and what reads its whole text. */
const READS_DOCUMENTATION =
  /\.__doc__\b|\b(getdoc|get_docstring|getcomments|getsource\w*|linecache)\b/;
const READS_TEXT = /\b(getcomments|getsource\w*|linecache)\b/;
/** Programs that run others, as file systems find them that do not tell large letters. */
const PROGRAM = /^(?:(?:ba|z|da|k|c|fi)?sh|env|sudo|doas|nohup|time|command|start|cmd|busybox) /i;
const MAX_BYTES = 500_000;

/** What fetched or decoded text is run by, and text of whoever calls the script. */
const HARMS: readonly (readonly [pattern: RegExp, rule: Rule, title: string])[] = [
  [
    /\b(curl|wget|fetch)\b[^\n;&|#]{0,500}\|\s*(sudo\s+(-\w+\s+)*)?(env\s+)?(\/\S*\/)?(ba|z|da|k)?sh\b|\b(curl|wget)\b[^\n;&|#]{0,500}\|\s*(sudo\s+)?(python[\d.]*|perl|ruby|node)\b|\b(ba|z)?sh\s+(-c\s+)?["']?(<\(|\$\(|`)\s*(curl|wget)\b|\b(eval|source|\.)\s+["']?(<\(|\$\(|`)\s*(curl|wget)\b/,
    REMOTE_CODE,
    "A script that the server starts runs downloaded code",
  ],
  [
    /\bbase64\s+(-d|-D|--decode)[^\n]{0,500}\|\s*(sudo\s+)?((ba|z)?sh|python[\d.]*|perl)\b|\beval\s+["']?(\$\(|`)[^\n]{0,500}\bbase64\b|\/dev\/(tcp|udp)\/[^\s/]+\/\d+|\bnc\b[^\n]{0,500}\s-e\s|\bxxd\s+-r[^\n]{0,500}\|\s*(ba)?sh\b/,
    UNSCANNED,
    "A script that the server starts runs decoded text or opens a shell to others",
  ],
  [
    /\beval\s+["']?\$\{?[1-9@*]|\b(\w+)=["']?\$\{?[1-9@*][\s\S]{0,2000}\beval\s+["']?\$\{?\1\b|\b(ba|z)?sh\s+-c\s+["']?\$(\{?[1-9@*]|[@*])/,
    UNSCANNED,
    "A script that the server starts runs its input as code",
  ],
];

/** Lines of a script without what is remarked. */
function plain(text: string): string {
  return text.replace(/^([ \t]*)#[^\n]*/gm, "$1");
}

/** Findings about scripts that modules of the project which may run name and start. */
export function scriptFindings(project: Project, input: AnalyserInput): RawFinding[] {
  if (input.lang !== "python") return [];
  const starting = project.trees
    .filter((tree) => project.mayRun(tree) && STARTS.test(tree.text));
  if (starting.length === 0) return [];
  const reads = (pattern: RegExp) =>
    project.trees.some((tree) => project.mayRun(tree) && pattern.test(tree.text));
  const read = { documentation: reads(READS_DOCUMENTATION), text: reads(READS_TEXT) };
  const findings: RawFinding[] = [];
  for (const [path, bytes] of input.files) {
    if (!SCRIPT.test(path) || bytes.length > MAX_BYTES) continue;
    const name = path.split("/").at(-1)!;
    if (!starting.some((tree) => names(tree, name, read))) continue;
    input.begin(path);
    const { text } = decodeSource(bytes);
    const code = plain(text);
    const lineAt = lineFinder(code);
    for (const [pattern, { id, severity, cwe, advice }, title] of HARMS) {
      const index = pattern.exec(code)?.index;
      if (index === undefined) continue;
      const line = lineAt(index);
      findings.push({
        rule: id,
        severity,
        cwe: `CWE-${cwe}`,
        title,
        detail: advice,
        file: path,
        line,
        end_line: line,
      });
    }
  }
  input.begin(null);
  return findings;
}

/**
 * Whether code of a module names a file, other than where it tells people of it. `read`: what code
 * reads of modules, so that it is no word to people.
 */
function names(
  { root, text }: SourceTree,
  name: string,
  read: { documentation: boolean; text: boolean },
): boolean {
  if (!isNamed(text, name)) return false;
  if (read.text) return true;
  const readsDocumentation = read.documentation || text.includes("__doc__");
  for (const node of walk(root, STRINGS)) {
    if (node.parent?.type === "concatenated_string") continue;
    const isDocumentation = node.parent?.type === "expression_statement";
    if (isDocumentation && !readsDocumentation) continue;
    const written = text.slice(node.start, node.end);
    if (!isNamed(written, name)) continue;
    if (!isSentence(written, name) || isTakenApart(text, node)) return true;
  }
  return false;
}

/** Whether a part of a text is used, or of what a name or a parameter holds that it is given to. */
function isTakenApart(text: string, { parent, start, end }: SyntaxNode): boolean {
  if (/^(attribute|subscript)$/.test(parent?.type ?? "")) return true;
  if (parent?.type !== "assignment") return false;
  const [, name] =
    /(\w+)\s*(?::[^=\n]+)?=[\s(]*$/.exec(text.slice(Math.max(0, start - 200), start)) ?? [];
  const around = `${text.slice(0, start)}${text.slice(end)}`;
  return name === undefined || new RegExp(`\\b${name}\\s*(?:\\[|\\.\\w)`).test(around);
}

/** Whether a text tells people of a file: as a command, its first word would be no program. */
function isSentence(written: string, name: string): boolean {
  const before = written.slice(0, written.lastIndexOf(name)).replace(/^\w*["']{1,3}/, "");
  return /^[A-Z][a-z]* /.test(before) && !PROGRAM.test(before) &&
    !/[;&|`\n\\]|\$\(/.test(before.replace(/["']\s+\w*["']/g, ""));
}

/** Whether a text has the file's name as a whole one. */
function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text[at - 1] ?? "", text[at + name.length] ?? ""];
    if (!/[\w.-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}
