/**
 * Descriptions that a server reads from a file of its repository: what the file says is what the model
 * is told.
 *
 * @module
 */
import type { AnalyserInput } from "../../analyser.ts";
import { calleeOf } from "../../python/calls/callee.ts";
import { argumentsOf, type PythonNames } from "../../python/names.ts";
import { valuesOf } from "../../python/values/assigned.ts";
import { stringValue } from "../../python/values/literals.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import { decodeSource } from "../../text.ts";

/** A description in a file, and the call that declares something with it. */
export interface FileDescription {
  names: PythonNames;
  node: SyntaxNode;
  path: string;
  text: string;
}

const DECLARING = nodeTypes("call", "assignment", "augmented_assignment");
const STRINGS = nodeTypes("string");
const NAMES = nodeTypes("identifier");
const DECLARES =
  /(^|\.)(tool|add_tool|prompt|add_prompt|resource|add_resource|from_function|Tool|Prompt|Resource|FastMCP|Server|MCPServer)$/;
const SAYS = ["description", "instructions", "title"];
const READS = /\b(open|read_text|read_bytes|load|loads|safe_load|get_data|files)\b/;
const FILE = /[\w-]\.(txt|md|rst|json|ya?ml|toml|ini|cfg|prompt|tmpl|j2)$/i;
const MAX_TEXT = 50_000;
const MAX_HOPS = 3;

/** Names of files in what a value is read from. */
function filesIn(names: PythonNames, value: SyntaxNode, hops = 0): string[] {
  if (hops > MAX_HOPS) return [];
  const { tree } = names;
  const found = [...walk(value, STRINGS)].flatMap((each) => stringValue(tree.text, each) ?? []);
  const files = READS.test(textOf(tree, value)) || hops > 0
    ? found.filter((each) => FILE.test(each))
    : [];
  const more = [...walk(value, NAMES)].slice(0, 10).flatMap((each) =>
    valuesOf(names, each).values.slice(0, 4)
  ).filter((each) => each.start > value.end || each.end < value.start);
  return [...files, ...more.flatMap((each) => filesIn(names, each, hops + 1))];
}

/** What a call, or `tool.description = …`, tells the model. */
function told(names: PythonNames, node: SyntaxNode): SyntaxNode[] {
  if (node.type !== "call") {
    const [left, right] = [child(node, "left"), child(node, "right")];
    const name = left?.type === "attribute" ? textOf(names.tree, child(left, "attribute")!) : "";
    return right !== null && /^(instructions|description|__doc__)$/.test(name) ? [right] : [];
  }
  if (!DECLARES.test(calleeOf(names, child(node, "function")!)?.name ?? "")) return [];
  const { keywords } = argumentsOf(names.tree, node);
  return SAYS.map((key) => keywords.get(key)).filter((each) => each !== undefined);
}

/** The descriptions that a module takes from files. */
export function fileDescriptions(names: PythonNames, input: AnalyserInput): FileDescription[] {
  const { tree } = names;
  if (!READS.test(tree.text) || !/description|instructions|title|__doc__/.test(tree.text)) {
    return [];
  }
  return [...walk(tree.root, DECLARING)].flatMap((node) => {
    const files = told(names, node).filter(({ type }) => type !== "string")
      .flatMap((each) => filesIn(names, each)).map((each) => each.replace(/^(\.?\/)+/, ""));
    return [...input.files].filter(([path]) =>
      files.some((each) => `/${path}`.endsWith(`/${each}`))
    )
      .map(([path, bytes]) => ({
        names,
        node,
        path,
        text: decodeSource(bytes).text.slice(0, MAX_TEXT),
      }));
  });
}
