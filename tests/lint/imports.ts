/**
 * Which file of the project imports which, and the circles in that.
 *
 * @module
 */
import { preProcessFile } from "typescript";
import { resolve } from "./paths.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Importer → what it imports. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Paths of the TypeScript files in `folder` and below, from the project's root. */
export function* sources(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(ROOT + folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* sources(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

/** The text of a file of the project. */
export function textOf(path: string): string {
  return Deno.readTextFileSync(ROOT + path);
}

/** What `path` imports of the project: values, types (`import("…")` as well) and re-exports. */
export function importsOf(path: string, text: string): Set<string> {
  const names = preProcessFile(text, true, true).importedFiles.map((file) => file.fileName);
  return new Set(names.filter((name) => name.startsWith(".")).map((name) => resolve(path, name)));
}

/** The imports of every file in `folders`. */
export function importGraph(folders: readonly string[]): Graph {
  const paths = folders.flatMap((folder) => [...sources(folder)]);
  return new Map(paths.map((path) => [path, importsOf(path, textOf(path))]));
}

/** `graph` with the group of each file in its place; what `groupOf` gives null for is left out. */
export function grouped(graph: Graph, groupOf: (path: string) => string | null): Graph {
  const groups = new Map<string, Set<string>>();
  for (const [importer, imported] of graph) {
    const from = groupOf(importer);
    if (from === null) continue;
    const to = groups.get(from) ?? new Set();
    for (const path of imported) {
      const group = groupOf(path);
      if (group !== null && group !== from) to.add(group);
    }
    groups.set(from, to);
  }
  return groups;
}

/**
 * The circles of `graph`: each set of at least two members that all lead to each other, sorted
 * (Tarjan's strongly connected components).
 */
export function circles(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];

  function visit(node: string): void {
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) {
        lowest.set(node, Math.min(lowest.get(node)!, lowest.get(next)!));
      }
    }
    if (lowest.get(node) !== order.get(node)) return;
    const members = open.splice(open.indexOf(node));
    if (members.length > 1) found.push(members.sort());
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found.sort((a, b) => b.length - a.length);
}
