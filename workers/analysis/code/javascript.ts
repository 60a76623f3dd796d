/**
 * Rules for JavaScript and TypeScript, all about security; ESLint has the others.
 *
 * @module
 */
import type { RawIssue } from "../finding.ts";
import { stringValue } from "../javascript/literals.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, type SyntaxNode, walk } from "../syntax/tree.ts";
import { callOf, type CodeRule, issue, rule } from "./rule.ts";

const JUDGED = nodeTypes("call_expression", "new_expression", "pair", "assignment_expression");

const MEMBERS = nodeTypes("member_expression");

const EVAL = rule(
  "js/eval",
  "security_hotspot",
  "medium",
  95,
  "Text is run as code",
  "Parse the expected values instead of running text",
);
const ENCODED = rule(
  "js/encoded-code",
  "security_hotspot",
  "critical",
  506,
  "Decoded text is run as code",
  "Do not encode code: malware hides this way",
);
const EXEC = rule(
  "js/shell",
  "security_hotspot",
  "medium",
  78,
  "A computed command runs in a shell",
  "Use execFile or spawn with a list of arguments",
);
const TLS = rule(
  "js/tls-unverified",
  "vulnerability",
  "high",
  295,
  "Certificates are not checked",
  "Leave certificate checks on. Add a private authority with the ca option",
);
const ENVIRONMENT = rule(
  "js/environment-sent",
  "security_hotspot",
  "critical",
  200,
  "The whole environment is sent to another machine",
  "Send only the variable that the service needs",
);
const HASH = rule(
  "js/weak-hash",
  "security_hotspot",
  "low",
  327,
  "MD5 and SHA-1 are broken for security",
  "Use SHA-256 if a collision could help an attacker",
);
const REQUIRE = rule(
  "js/computed-require",
  "security_hotspot",
  "low",
  829,
  "A module is loaded by a computed name",
  "Import modules by name, or choose from a fixed list",
);

/** Every rule of this module. */
export const JAVASCRIPT_RULES: readonly CodeRule[] = [
  EVAL,
  ENCODED,
  EXEC,
  TLS,
  ENVIRONMENT,
  HASH,
  REQUIRE,
];

const RUNS_TEXT = /^(eval|globalThis\.eval|window\.eval|vm\.(runIn\w+|compileFunction))$/;
const SHELL = /^(child_process\.|cp\.|childProcess\.)?(exec|execSync|execAsync|execPromise)$/;
const SENDS = /^(fetch|axios(\.\w+)?|got(\.\w+)?|https?\.request|needle(\.\w+)?|superagent\.\w+)$/;
const DECODES = /\batob\(|Buffer\.from\([^)]{0,200}["'](base64|hex)["']/;

function holdsEnvironment(tree: SourceTree, node: SyntaxNode): boolean {
  for (const each of walk(node, MEMBERS)) {
    if (textOf(tree, each) !== "process.env") continue;
    const up = each.parent;
    const part = up?.type === "member_expression" || up?.type === "subscript_expression";
    if (!part) return true;
  }
  return false;
}

function ofCall(tree: SourceTree, node: SyntaxNode, usesShell: boolean): RawIssue | null {
  const { name, values } = callOf(tree, node);
  const [first] = values;
  if (first === undefined) return null;
  const literal = stringValue(tree.text, first) !== null;
  const constructor = node.type === "new_expression" && name === "Function";
  if (RUNS_TEXT.test(name) || constructor || (name === "Function" && !literal)) {
    const last = values.at(-1)!;
    if (DECODES.test(textOf(tree, last).slice(0, 2000))) return issue(ENCODED, tree, node);
    if (stringValue(tree.text, last) === null) return issue(EVAL, tree, node);
    return issue(EVAL, tree, node, { severity: "low" });
  }
  if (/^(setTimeout|setInterval)$/.test(name) && literal) return issue(EVAL, tree, node);
  if (usesShell && SHELL.test(name)) {
    return literal
      ? issue(EXEC, tree, node, { severity: "low", title: "A fixed command runs in a shell" })
      : issue(EXEC, tree, node);
  }
  if (SENDS.test(name) && values.some((each) => holdsEnvironment(tree, each))) {
    return issue(ENVIRONMENT, tree, node);
  }
  if (
    /(^|\.)createHash$/.test(name) && /^(md5|sha-?1)$/i.test(stringValue(tree.text, first) ?? "")
  ) {
    return issue(HASH, tree, node);
  }
  if (name === "require" && !literal) return issue(REQUIRE, tree, node);
  return null;
}

function ofPair(tree: SourceTree, node: SyntaxNode): RawIssue | null {
  const key = child(node, "key");
  const value = child(node, "value");
  if (key === null || value === null) return null;
  const off = /^["']?rejectUnauthorized["']?$/.test(textOf(tree, key)) && value.type === "false";
  return off ? issue(TLS, tree, node) : null;
}

export function javascriptIssues(tree: SourceTree): RawIssue[] {
  const found: (RawIssue | null)[] = [];
  const usesShell = /["'](node:)?child_process["']/.test(tree.text);
  for (const node of walk(tree.root, JUDGED)) {
    switch (node.type) {
      case "call_expression":
      case "new_expression":
        found.push(ofCall(tree, node, usesShell));
        break;
      case "pair":
        found.push(ofPair(tree, node));
        break;
      case "assignment_expression":
        if (
          /NODE_TLS_REJECT_UNAUTHORIZED["'\]]*\s*=\s*["'`]?0/.test(textOf(tree, node).slice(0, 200))
        ) {
          found.push(issue(TLS, tree, node));
        }
        break;
    }
  }
  return found.filter((each) => each !== null);
}
