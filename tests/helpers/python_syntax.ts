/**
 * What a Python module says, by the scanner's parser and by CPython's: both give the same facts.
 *
 * @module
 */
import { stringValue } from "../../workers/analysis/python/values/literals.ts";
import { parsePythonText } from "../../workers/analysis/python/parse.ts";
import { nodeTypes } from "../../workers/analysis/syntax/node_types.ts";
import { sourceTree, textOf } from "../../workers/analysis/syntax/source_tree.ts";
import { child, childrenIn, type SyntaxNode, walk } from "../../workers/analysis/syntax/tree.ts";
import { callTool, openTestHosts, server, sessionInput } from "./interpreter.ts";

const NODES = nodeTypes(
  "call",
  "attribute",
  "import_statement",
  "import_from_statement",
  "future_import_statement",
  "function_definition",
  "class_definition",
  "keyword_argument",
  "case_pattern",
  "string",
  "concatenated_string",
);

const DOTTED = nodeTypes("dotted_name");

/** As Python's `json.dumps` writes a string. */
function dumped(value: string): string {
  return JSON.stringify(value).replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const isFormat = (text: string) => /^[a-z]*[ft]/i.test(text.slice(0, 3).split(/["']/)[0]!);

/** Facts of a text by the scanner's parser; null: no Python; a string: why it was not analysed. */
export async function ourFacts(text: string): Promise<string[] | null | string> {
  const parsed = await parsePythonText(text);
  if (typeof parsed === "string") return parsed;
  if (parsed.broken) return null;
  const tree = await sourceTree(
    { path: "m.py", grammar: "python", role: "source", odd: false, ...parsed },
    "held",
  );
  const found = new Set<string>();
  const nameIn = (node: SyntaxNode, field: string) => textOf(tree, child(node, field)!);
  const line = (node: SyntaxNode) => tree.lineAt(node.start);
  const plain = (node: SyntaxNode) => textOf(tree, node).replace(/\\\n|\s|\\/g, "");
  for (const node of walk(tree.root, NODES)) {
    switch (node.type) {
      case "call": {
        let callee = child(node, "function")!;
        while (callee.type === "parenthesized_expression") {
          const [inner] = callee.children.filter((each) => each.named && each.type !== "comment");
          callee = inner!;
        }
        const name = callee.type === "attribute"
          ? nameIn(callee, "attribute")
          : callee.type === "identifier"
          ? textOf(tree, callee)
          : "";
        found.add(`call ${name} ${line(node)}`);
        break;
      }
      case "attribute":
        found.add(`attribute ${nameIn(node, "attribute")} ${tree.lineAt(node.end - 1)}`);
        break;
      case "import_statement":
        for (const each of childrenIn(node, "name")) {
          const name = each.type === "aliased_import" ? child(each, "name")! : each;
          found.add(`import ${plain(name)} ${line(node)}`);
        }
        break;
      case "import_from_statement":
      case "future_import_statement": {
        const from = child(node, "module_name");
        const module = from === null ? "__future__" : plain(from);
        const names = childrenIn(node, "name").map((each) =>
          plain(each.type === "aliased_import" ? child(each, "name")! : each)
        );
        if (node.children.some(({ type }) => type === "wildcard_import")) names.push("*");
        for (const name of names) found.add(`from ${module} ${name} ${line(node)}`);
        break;
      }
      case "function_definition":
        found.add(`def ${nameIn(node, "name")} ${line(node)}`);
        break;
      case "class_definition":
        found.add(`class ${nameIn(node, "name")} ${line(node)}`);
        break;
      case "case_pattern":
        for (const each of walk(node, DOTTED)) {
          for (const part of each.children.slice(1).filter(({ type }) => type === "identifier")) {
            found.add(`attribute ${textOf(tree, part)} ${tree.lineAt(part.end - 1)}`);
          }
        }
        break;
      case "keyword_argument":
        found.add(`keyword ${nameIn(node, "name")} ${line(node)}`);
        break;
      default: {
        if (node.type === "string" && node.parent?.type === "concatenated_string") break;
        const parts = node.type === "string" ? [node] : node.children;
        if (parts.some((each) => isFormat(textOf(tree, each)))) break;
        const value = stringValue(tree.text, node);
        if (value !== null) found.add(`string ${dumped(value)} ${line(node)}`);
      }
    }
  }
  return [...found].sort();
}

/** CPython's parser, in the interpreter that servers run in. */
export async function openPythonParser(): Promise<
  { facts(texts: readonly string[]): Promise<(string[] | null)[]> } & AsyncDisposable
> {
  const hosts = await openTestHosts();
  const code = await Deno.readTextFile(new URL("python_syntax.py", import.meta.url));
  const source = server(`${code}
tool(many)
`);
  const session = await hosts.open(sessionInput(source));
  return {
    async facts(texts) {
      const answer = await callTool(session, "many", { sources: JSON.stringify(texts) });
      return JSON.parse(answer) as (string[] | null)[];
    },
    async [Symbol.asyncDispose]() {
      await session.close();
      await hosts.close();
    },
  };
}

/** Where the two differ: what only ours says (+) and what only CPython's says (-). */
export function differences(ours: readonly string[], theirs: readonly string[]): string[] {
  const [a, b] = [new Set(ours), new Set(theirs)];
  return [
    ...[...a].filter((each) => !b.has(each)).map((each) => `+ ${each}`),
    ...[...b].filter((each) => !a.has(each)).map((each) => `- ${each}`),
  ];
}
