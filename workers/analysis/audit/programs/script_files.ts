/**
 * Scripts of shells in the repository that the server starts: they run as its own code does.
 *
 * @module
 */
import type { AnalyserInput } from "../../analyser.ts";
import type { RawFinding } from "../../finding.ts";
import type { Project } from "../../project.ts";
import { decodeSource, lineFinder } from "../../text.ts";
import { UNSCANNED } from "../python/unscanned.ts";
import { REMOTE_CODE } from "../flow/flow_rules.ts";
import type { Rule } from "../rule.ts";

const SCRIPT = /\.(sh|bash|zsh|ksh|command)$/;
const STARTS =
  /\b(subprocess|os\.(system|popen|exec|spawn|posix_spawn)|Popen|create_subprocess|pexpect|pty\.spawn|sh\.)/;
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
    .filter((tree) => project.mayRun(tree) && STARTS.test(tree.text))
    .map(({ text }) => text);
  if (starting.length === 0) return [];
  const findings: RawFinding[] = [];
  for (const [path, bytes] of input.files) {
    if (!SCRIPT.test(path) || bytes.length > MAX_BYTES) continue;
    const name = path.split("/").at(-1)!;
    if (!starting.some((text) => isNamed(text, name))) continue;
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

/** Whether a text has the file's name as a whole one. */
function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text[at - 1] ?? "", text[at + name.length] ?? ""];
    if (!/[\w.-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}
