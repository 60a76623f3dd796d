/**
 * Rules for Go.
 *
 * @module
 */
import type { RawIssue } from "../finding.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import { goString } from "../tools/go.ts";
import { callOf, type CodeRule, issue, rule } from "./rule.ts";

const JUDGED = nodeTypes("call_expression", "keyed_element", "if_statement");

const SHELL = rule(
  "go/shell",
  "security_hotspot",
  "medium",
  78,
  "A computed command runs in a shell",
  "Run the program itself with a list of arguments",
);
const PROGRAM = rule(
  "go/computed-program",
  "security_hotspot",
  "low",
  78,
  "A computed program runs",
  "Choose the program from a fixed list",
);
const TLS = rule(
  "go/tls-unverified",
  "vulnerability",
  "high",
  295,
  "Certificates are not checked",
  "Leave verification on. Add a private authority to RootCAs",
);
const SQL = rule(
  "go/sql-text",
  "security_hotspot",
  "medium",
  89,
  "A query is built as text",
  "Pass values as parameters of the query",
);
const HASH = rule(
  "go/weak-hash",
  "security_hotspot",
  "low",
  327,
  "MD5 and SHA-1 are broken for security",
  "Use SHA-256 if a collision could help an attacker",
);
const UNSAFE = rule(
  "go/unsafe",
  "security_hotspot",
  "low",
  242,
  "unsafe.Pointer bypasses the type system",
  "Use it only if nothing else works",
);
const PANIC = rule(
  "go/panic",
  "code_smell",
  "low",
  null,
  "A panic ends the whole server",
  "Return an error",
);
const IGNORED = rule(
  "go/ignored-error",
  "code_smell",
  "medium",
  null,
  "An error is checked and then ignored",
  "Handle it or return it",
);

/** Every rule of this module. */
export const GO_RULES: readonly CodeRule[] = [
  SHELL,
  PROGRAM,
  TLS,
  SQL,
  HASH,
  UNSAFE,
  PANIC,
  IGNORED,
];

function ofCall(tree: SourceTree, node: SyntaxNode): RawIssue | null {
  const { name, values } = callOf(tree, node);
  if (/^exec\.Command(Context)?$/.test(name)) {
    const at = name.endsWith("Context") ? 1 : 0;
    const program = values[at];
    const text = program === undefined ? null : goString(tree.text, program);
    if (text === null) return program === undefined ? null : issue(PROGRAM, tree, node);
    if (!/(^|\/)(sh|bash|zsh|cmd|cmd\.exe|powershell)$/.test(text)) return null;
    const command = values[at + 2];
    if (command === undefined) return null;
    const fixed = goString(tree.text, command) !== null;
    return issue(SHELL, tree, node, fixed ? { severity: "low", title: "A shell runs" } : {});
  }
  if (/\.(Query|QueryRow|Exec|QueryContext|QueryRowContext|ExecContext)$/.test(name)) {
    const computed = values.slice(0, 2).some((each) =>
      /^fmt\.Sprintf\(/.test(textOf(tree, each)) ||
      (each.type === "binary_expression" && /"/.test(textOf(tree, each)))
    );
    return computed ? issue(SQL, tree, node) : null;
  }
  if (/^(md5|sha1)\.(New|Sum)$/.test(name)) return issue(HASH, tree, node);
  if (name === "unsafe.Pointer") return issue(UNSAFE, tree, node);
  return name === "panic" ? issue(PANIC, tree, node) : null;
}

export function goIssues(tree: SourceTree): RawIssue[] {
  const found: (RawIssue | null)[] = [];
  for (const node of walk(tree.root, JUDGED)) {
    if (node.type === "call_expression") found.push(ofCall(tree, node));
    else if (node.type === "keyed_element") {
      if (/^InsecureSkipVerify\s*:\s*true$/.test(textOf(tree, node).slice(0, 100))) {
        found.push(issue(TLS, tree, node));
      }
    } else {
      const condition = child(node, "condition");
      const body = child(node, "consequence");
      if (
        condition !== null && body !== null && named(body).length === 0 &&
        textOf(tree, condition) === "err != nil"
      ) found.push(issue(IGNORED, tree, node));
    }
  }
  return found.filter((each) => each !== null);
}
