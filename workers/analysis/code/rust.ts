/**
 * Rules for Rust.
 *
 * @module
 */
import type { RawIssue } from "../finding.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, type SyntaxNode, walk } from "../syntax/tree.ts";
import { rustString } from "../tools/rust.ts";
import { callOf, type CodeRule, issue, rule } from "./rule.ts";

const JUDGED = nodeTypes("unsafe_block", "macro_invocation", "call_expression");

const UNSAFE = rule(
  "rust/unsafe",
  "security_hotspot",
  "low",
  242,
  "An unsafe block bypasses the compiler's checks",
  "Explain in a SAFETY comment why it is sound, or remove it",
);
const TRANSMUTE = rule(
  "rust/transmute",
  "security_hotspot",
  "medium",
  843,
  "transmute reinterprets memory",
  "Use a conversion that the compiler checks",
);
const TLS = rule(
  "rust/tls-unverified",
  "vulnerability",
  "high",
  295,
  "Certificates are not checked",
  "Leave verification on. Add a private authority instead",
);
const SHELL = rule(
  "rust/shell",
  "security_hotspot",
  "medium",
  78,
  "A computed command runs in a shell",
  "Run the program itself with a list of arguments",
);
const PROGRAM = rule(
  "rust/computed-program",
  "security_hotspot",
  "low",
  78,
  "A computed program runs",
  "Choose the program from a fixed list",
);
const SQL = rule(
  "rust/sql-text",
  "security_hotspot",
  "medium",
  89,
  "A query is built as text",
  "Pass values as parameters of the query",
);
const UNWRAP = rule(
  "rust/unwrap",
  "code_smell",
  "low",
  null,
  "Errors can end the server",
  "Return errors with ?; keep unwrap for what cannot fail",
);
const UNFINISHED = rule(
  "rust/unfinished",
  "bug",
  "medium",
  null,
  "Code that only panics",
  "Implement it, or remove the code path",
);

/** Every rule of this module. */
export const RUST_RULES: readonly CodeRule[] = [
  UNSAFE,
  TRANSMUTE,
  TLS,
  SHELL,
  PROGRAM,
  SQL,
  UNWRAP,
  UNFINISHED,
];

const MANY_UNWRAPS = 5;

function ofCall(tree: SourceTree, node: SyntaxNode): RawIssue | null {
  const { name, values } = callOf(tree, node);
  if (/\.danger_accept_invalid_(certs|hostnames)$/.test(name)) {
    return values[0] !== undefined && textOf(tree, values[0]) === "true"
      ? issue(TLS, tree, node)
      : null;
  }
  if (/(^|::)Command::new$/.test(name) && values[0] !== undefined) {
    const program = rustString(tree.text, values[0]);
    if (program === null) return issue(PROGRAM, tree, node);
    if (!/(^|\/)(sh|bash|zsh|cmd|powershell)$/.test(program)) return null;
    let outer = node;
    while (
      outer.parent !== null && /^(field_expression|call_expression)$/.test(outer.parent.type)
    ) {
      outer = outer.parent;
    }
    const chain = textOf(tree, outer).slice(0, 2000);
    const computed = /format!\(|\.args?\(\s*(&?[a-z_]\w*|&?\[[^\]"]*[a-z_]\w*\])/.test(chain);
    return issue(SHELL, tree, node, computed ? {} : { severity: "low", title: "A shell runs" });
  }
  if (/(^|::)transmute(::<.*>)?$/.test(name)) return issue(TRANSMUTE, tree, node);
  if (/(^|::|\.)(query|execute|query_as|sqlx::query)$/.test(name)) {
    const [first] = values;
    return first !== undefined && /^&?format!\(/.test(textOf(tree, first))
      ? issue(SQL, tree, node)
      : null;
  }
  return null;
}

export function rustIssues(tree: SourceTree): RawIssue[] {
  const found: (RawIssue | null)[] = [];
  const unwraps: SyntaxNode[] = [];
  for (const node of walk(tree.root, JUDGED)) {
    if (node.type === "unsafe_block") found.push(issue(UNSAFE, tree, node));
    else if (node.type === "macro_invocation") {
      const name = child(node, "macro");
      if (name !== null && /^(todo|unimplemented)$/.test(textOf(tree, name))) {
        found.push(issue(UNFINISHED, tree, node));
      }
    } else {
      found.push(ofCall(tree, node));
      if (/\.(unwrap|expect)$/.test(callOf(tree, node).name)) unwraps.push(node);
    }
  }
  if (unwraps.length >= MANY_UNWRAPS && tree.role === "source") {
    const title = `${unwraps.length} calls of unwrap or expect end the server on an error`;
    found.push(issue(UNWRAP, tree, unwraps[0]!, { title }));
  }
  return found.filter((each) => each !== null);
}
