/**
 * Calls in a tool's function that change something.
 *
 * @module
 */
import { textOf } from "../../syntax/source_tree.ts";
import { child, walk } from "../../syntax/tree.ts";
import type { ToolDeclaration } from "../../tools/declaration.ts";

const CHANGES: Record<string, RegExp> = {
  python:
    /^(os\.(system|remove|unlink|rename|replace|rmdir|makedirs|mkdir)|shutil\.(rmtree|move|copy\w*)|subprocess\.\w+|requests\.(post|put|patch|delete)|httpx\.(post|put|patch|delete))$|\.(write_text|write_bytes|unlink|rmdir|commit)$/,
  javascript:
    /^((fs|fsp|fs\.promises)\.(write\w*|unlink\w*|rm\w*|append\w*|rename\w*|mkdir\w*)|writeFile\w*|unlink\w*|rmdir|exec\w*|spawn\w*|child_process\.\w+|axios\.(post|put|patch|delete)|Deno\.(remove\w*|write\w*))$/,
  go: /^(os\.(Remove\w*|WriteFile|Rename|Create|Mkdir\w*)|exec\.Command\w*|http\.(Post\w*))$/,
  rust: /^((std::)?fs::(write|remove_\w+|rename|create_dir\w*)|Command::new)$/,
};

const MAX_NAMED = 3;

/** Names of changing calls in a tool's function, at most a few. */
export function effectsOf({ tree, body }: ToolDeclaration): string[] {
  const family = tree.grammar === "typescript" || tree.grammar === "tsx"
    ? "javascript"
    : tree.grammar;
  const pattern = CHANGES[family];
  if (body === null || pattern === undefined) return [];
  const found = new Set<string>();
  for (const node of walk(body)) {
    if (node.type !== "call" && node.type !== "call_expression") continue;
    const callee = child(node, "function");
    if (callee === null) continue;
    const name = textOf(tree, callee).replace(/\s/g, "").slice(0, 100);
    if (pattern.test(name)) found.add(name);
  }
  return [...found].slice(0, MAX_NAMED);
}
