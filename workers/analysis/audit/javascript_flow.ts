/**
 * What the parameters of a JavaScript or TypeScript tool reach, within its handler.
 *
 * @module
 */
import type { RawFinding } from "../finding.ts";
import { stringValue } from "../javascript/literals.ts";
import { callOf } from "../code/rule.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, type SyntaxNode, walk } from "../syntax/tree.ts";
import type { ToolDeclaration } from "../tools/declaration.ts";
import { report, type Rule, rule } from "./rule.ts";

const IDENTIFIERS = nodeTypes("identifier", "shorthand_property_identifier_pattern");
const DECLARATORS = nodeTypes("variable_declarator");
const CONDITIONS = nodeTypes("if_statement");
const CALLS = nodeTypes("call_expression", "new_expression");

/** Functions by what they do with their first argument. */
const SINKS: [RegExp, Rule][] = [
  [
    /^(child_process\.|cp\.|childProcess\.)?(exec|execSync|execAsync|execPromise)$/,
    rule("js/tool-to-shell", "high", 78, "Use execFile with a list of arguments"),
  ],
  [
    /^(eval|Function|vm\.runIn\w+)$/,
    rule(
      "js/tool-to-code",
      "high",
      94,
      "Do not run a caller's text as code. Parse the expected values instead",
    ),
  ],
  [
    /(^|\.)(query|raw|execute|prepare)$/,
    rule("js/tool-to-sql", "high", 89, "Pass values as parameters of the query"),
  ],
  [
    /^(fs|fsp|fs\.promises|fsPromises)\.(read\w*|write\w*|append\w*|unlink\w*|rm\w*|create\w*Stream|open\w*)$|^(readFile|writeFile|readFileSync|writeFileSync|unlink|unlinkSync)$/,
    rule("js/tool-to-file", "medium", 22, "Resolve the path and reject it outside a fixed folder"),
  ],
  [
    /^(fetch|axios(\.\w+)?|got(\.\w+)?|https?\.(get|request))$/,
    rule("js/tool-to-request", "medium", 918, "Hard-code the host, or allow only expected hosts"),
  ],
];

const CLEAN = /^(Number|parseInt|parseFloat|Boolean|path\.basename|basename|encodeURIComponent)$/;
/** Functions whose name says that they check what they give back. */
const CHECKER = /(valid|safe|sanit|escape|clean|secure|check|verify|ensure|allow|permit)\w*$/i;
const GUARD = /\.(includes|startsWith|test|has|match)\(|path\.relative\(/;
const FIXED_HOST =
  /^[`"']https?:\/\/[^/$`"'{]+(\/|`|"|'|\?)|^[`"']?\$\{[A-Z][A-Z0-9_]*\}|^[A-Z][A-Z0-9_]*\b/;

function identifiers(tree: SourceTree, node: SyntaxNode): string[] {
  const found: string[] = [];
  for (const each of walk(node, IDENTIFIERS)) found.push(textOf(tree, each));
  return found;
}

/** Whether an expression's value holds text of a tainted variable. */
function holds(
  tree: SourceTree,
  tainted: ReadonlySet<string>,
  expression: SyntaxNode,
): string | null {
  const stack = [expression];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "identifier" || node.type === "shorthand_property_identifier") {
      const name = textOf(tree, node);
      if (tainted.has(name)) return name;
    }
    if (node.type === "call_expression") {
      const { name } = callOf(tree, node);
      if (CLEAN.test(name) || CHECKER.test(name)) continue;
    }
    if (node.type === "subscript_expression" || node.type === "member_expression") {
      const object = child(node, "object");
      if (object !== null) stack.push(object);
      continue;
    }
    if (node.type === "binary_expression" && child(node, "operator")?.type !== "+") continue;
    stack.push(...node.children);
  }
  return null;
}

function taintedIn(tree: SourceTree, body: SyntaxNode): Set<string> {
  const parameters = child(body, "parameters") ?? child(body, "parameter");
  const first = parameters === null
    ? undefined
    : parameters.type === "identifier"
    ? parameters
    : named(parameters)[0];
  // The second parameter is the SDK's own (signal, session).
  const tainted = new Set(first === undefined ? [] : identifiers(tree, first));
  for (const _ of [1, 2]) {
    for (const node of walk(body, DECLARATORS)) {
      const name = child(node, "name");
      const value = child(node, "value");
      if (name === null || value === null || holds(tree, tainted, value) === null) continue;
      for (const each of identifiers(tree, name)) tainted.add(each);
    }
  }
  for (const node of walk(body, CONDITIONS)) {
    const condition = child(node, "condition");
    if (condition === null || !GUARD.test(textOf(tree, condition).slice(0, 1000))) continue;
    for (const each of identifiers(tree, condition)) tainted.delete(each);
  }
  return tainted;
}

function ofTool({ bodyTree: tree, body }: ToolDeclaration): RawFinding[] {
  if (body === null) return [];
  const tainted = taintedIn(tree, body);
  const findings: RawFinding[] = [];
  for (const node of walk(body, CALLS)) {
    const { name, values: [target] } = callOf(tree, node);
    const sink = SINKS.find(([pattern]) => pattern.test(name))?.[1];
    if (sink === undefined || target === undefined || stringValue(tree.text, target) !== null) {
      continue;
    }
    const parameter = holds(tree, tainted, target);
    if (parameter === null) continue;
    const text = textOf(tree, target);
    if (sink.cwe === 918 && FIXED_HOST.test(text)) continue;
    // `regex.exec(text)`, `registry.query(name)`: only text that is put together is a query.
    if (sink.cwe === 89 && !/`[^`]*\$\{|["'`]\s*\+/.test(text)) continue;
    findings.push(report(sink, tree, node, `Parameter "${parameter}" reaches ${name}`));
  }
  return findings;
}

/** Findings in the handlers of tools. */
export function javascriptFlows(tools: readonly ToolDeclaration[]): RawFinding[] {
  return tools.filter(({ tree }) => /^(javascript|typescript|tsx)$/.test(tree.grammar))
    .flatMap(ofTool);
}

/** Every rule of this module. */
export const JAVASCRIPT_FLOW_RULES: readonly Rule[] = SINKS.map(([, rule]) => rule);
