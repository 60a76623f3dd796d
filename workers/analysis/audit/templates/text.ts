/**
 * Judges the text of a template as its engine reads it.
 *
 * @module
 */
import { calleeOf } from "../../python/calls/callee.ts";
import { loadsOf } from "../../python/reach/loads.ts";
import { moduleNames, namesIn } from "../../python/names.ts";
import { sinkOf } from "../../python/calls/sinks.ts";
import { nodeTypes } from "../../syntax/node_types.ts";
import { parseSource, sourceTree } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode, walk } from "../../syntax/tree.ts";
import type { Engine } from "../../templates/engines.ts";
import { partFaults, type TemplateFault } from "../../templates/expressions.ts";
import { jinjaParts, templatePython } from "../../templates/parts.ts";
import { lineFinder } from "../../text.ts";
import { auditFile } from "../python_file.ts";

const CALLS = nodeTypes("call");

/** Faults of a text, by its engine. `whole`: the marks of expressions are not the usual ones. */
export async function faultsOf(
  text: string,
  engine: Engine,
  whole: boolean,
): Promise<{ title: string; line: number }[]> {
  const lineAt = lineFinder(text);
  const placed = (faults: TemplateFault[]) =>
    faults.map(({ title, at }) => ({ title, line: lineAt(at) }));
  if (engine === "jinja" && !whole) return placed(partFaults(jinjaParts(text)));
  if (engine === "jinja" || engine === "other") {
    const lines = text.split("\n");
    let at = 0;
    const parts = lines.map((code) => {
      const part = { code, at };
      at += code.length + 1;
      return part;
    });
    return placed(partFaults(parts));
  }
  const { code, lines } = templatePython(text, engine, lineAt);
  if (code.trim() === "") return [];
  const whereOf = (line: number) => lines[Math.min(line, lines.length) - 1] ?? 1;
  const found = partFaults(
    [...code.split("\n").entries()].map(([at, each]) => ({ code: each, at })),
  )
    .map(({ title, at }) => ({ title, line: lines[at] ?? 1 }));
  return [
    ...found,
    ...(await pythonFaults(code)).map(({ title, line }) => ({
      title,
      line: whereOf(line),
    })),
  ];
}

/** What Python does that no template has to do. */
async function pythonFaults(code: string): Promise<{ title: string; line: number }[]> {
  const source = {
    path: "template.py",
    grammar: "python",
    role: "source",
    bytes: new TextEncoder().encode(code),
  } as const;
  const parsed = await parseSource(source);
  if (typeof parsed === "string" || parsed.broken) {
    return [{ title: "A template contains Python code that could not be analysed", line: 1 }];
  }
  const tree = await sourceTree(parsed, "held");
  const read = moduleNames(tree);
  const { own } = await auditFile({ parsed, names: read, ruff: null, runs: false, certain: false });
  const names = namesIn(tree, read);
  const found = own.filter(({ severity }) => severity === "critical" || severity === "high")
    .map(({ title, line }) => ({ title, line }));
  const say = (node: SyntaxNode, title: string) =>
    void found.push({ title, line: tree.lineAt(node.start) });
  for (const node of walk(tree.root, CALLS)) {
    const callee = child(node, "function");
    const name = callee === null ? null : calleeOf(names, callee)?.name ?? null;
    const kind = name === null ? null : sinkOf(name);
    if (kind !== null && /^(shell|process|code|pickle|import)$/.test(kind)) {
      say(node, `A template calls ${name}`);
    }
  }
  for (const load of loadsOf(names)) {
    if (load.kind === "text" || load.kind === "opaque" || load.kind === "file") {
      say(tree.root.numbered(load.node), `A template runs code (${load.by})`);
    }
  }
  return found;
}
