/**
 * Which modules of a JavaScript or TypeScript repository the entrypoint reaches by import.
 *
 * @module
 */
import { nodeTypes } from "../syntax/node_types.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, named, walk } from "../syntax/tree.ts";
import { stringValue } from "./literals.ts";

const LINKS = nodeTypes("import_statement", "export_statement", "call_expression");

const ENDINGS = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx"];

function resolvePath(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** Files that a specifier may name: as written, another ending, or a folder's index. */
function candidates(path: string): string[] {
  const stem = path.replace(/\.[cm]?jsx?$/, "");
  return [
    path,
    ...ENDINGS.flatMap((ending) => [path + ending, stem + ending, `${path}/index${ending}`]),
  ];
}

interface Links {
  specifiers: string[];
  unclear: boolean;
}

function linksOf(tree: SourceTree): Links {
  const links: Links = { specifiers: [], unclear: false };
  for (const node of walk(tree.root, LINKS)) {
    if (node.type === "import_statement" || node.type === "export_statement") {
      const source = child(node, "source");
      const value = source === null ? null : stringValue(tree.text, source);
      if (value !== null) links.specifiers.push(value);
    } else {
      const callee = child(node, "function");
      if (callee === null) continue;
      if (callee.type !== "import" && textOf(tree, callee) !== "require") continue;
      const list = child(node, "arguments");
      const first = list === null ? undefined : named(list)[0];
      const value = first === undefined ? null : stringValue(tree.text, first);
      if (value === null) links.unclear = true;
      else links.specifiers.push(value);
    }
  }
  return links;
}

/**
 * Follows relative imports from `entrypoint` to files of `paths`, parsed or not. Path aliases of
 * bundlers make reach unclear.
 */
export function javascriptReach(
  trees: readonly SourceTree[],
  paths: Iterable<string>,
  entrypoint: string,
): { reached: Set<string>; unclear: boolean } {
  const byPath = new Map(trees.map((tree) => [tree.path, tree]));
  const known = new Set(paths);
  const reached = new Set<string>();
  const waiting = [entrypoint];
  // An entrypoint that only a build makes (dist/index.js) says nothing about the source.
  let unclear = !known.has(entrypoint);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path) || !known.has(path)) continue;
    reached.add(path);
    const tree = byPath.get(path);
    if (tree === undefined) continue;
    const links = linksOf(tree);
    unclear ||= links.unclear;
    for (const specifier of links.specifiers) {
      if (/^[@~#]\/|^#/.test(specifier)) unclear = true;
      if (specifier.startsWith(".")) waiting.push(...candidates(resolvePath(path, specifier)));
    }
  }
  return { reached, unclear };
}
