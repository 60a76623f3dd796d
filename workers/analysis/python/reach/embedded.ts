/**
 * Python text that stands in a string of another module and is compiled: it is analysed as a module
 * of its own, and what is found in it is reported at the string.
 *
 * @module
 */
import { embeddedPath, hostOf } from "./embedded_paths.ts";
import type { Source } from "../../sources.ts";
import type { Load } from "./loads.ts";
import type { PythonNames } from "../names.ts";

/** Text in text in text: nobody honest writes more. */
export const MAX_EMBEDDED_DEPTH = 3;

export function reportedPlace<T extends { file: string; line: number; end_line?: number }>(
  place: T,
  lastLines: ReadonlyMap<string, number>,
): T {
  const last = lastLines.get(place.file);
  if (last === undefined) return place;
  const line = Math.min(place.line, last);
  return {
    ...place,
    file: hostOf(place.file),
    line,
    ...(place.end_line === undefined ? {} : { end_line: Math.min(place.end_line, last) }),
  };
}

/** The literal texts that a module has compiled, as sources, with the last line of each. */
export function embeddedSources(
  names: PythonNames,
  loads: readonly Load[],
): { source: Source; last: number; text: string }[] {
  const { tree } = names;
  const encoder = new TextEncoder();
  return loads.flatMap((load) => {
    if (load.kind !== "text" || load.text.kind !== "stated") return [];
    const node = tree.root.numbered(load.node);
    const first = tree.lineAt(node.start);
    const last = tree.lineAt(Math.max(node.start, node.end - 1));
    return load.text.texts.map((text, index) => {
      // An expression may begin with blanks, which a module may not.
      const code = load.mode === "eval" ? text.trimStart() : text;
      const source: Source = {
        path: embeddedPath(tree.path, load.node, index),
        grammar: "python",
        role: tree.role,
        // Its lines count from that of the string.
        bytes: encoder.encode("\n".repeat(first - 1) + code),
      };
      return { source, last, text };
    });
  });
}
