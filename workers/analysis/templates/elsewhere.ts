/**
 * What other modules of a project have under a name.
 *
 * @module
 */
import type { PythonNames } from "../python/names.ts";
import type { SyntaxNode } from "../syntax/tree.ts";
import type { FindElsewhere } from "./origin.ts";

function moduleName(path: string): string {
  return path.replace(/\.pyw?$/, "").replace(/(^|\/)__init__$/, "").replaceAll("/", ".");
}

/** A finder over the modules of a project: values and functions, by their dotted names. */
export function elsewhereIn(modules: ReadonlyMap<string, PythonNames>): FindElsewhere {
  const byLast = Map.groupBy(modules, ([path]) => moduleName(path).split(".").at(-1)!);

  function at(parts: readonly string[]): PythonNames[] {
    const dotted = parts.join(".");
    return (byLast.get(parts.at(-1) ?? "") ?? [])
      .filter(([path]) => {
        const name = moduleName(path);
        return name === dotted || name.endsWith(`.${dotted}`);
      })
      .map(([, names]) => names);
  }

  return (names, dotted) => {
    const parts = dotted.replace(/^\.+/, "").replaceAll("()", "").split(".");
    const found: { names: PythonNames; node: SyntaxNode }[] = [];
    for (const depth of [1, 2]) {
      if (parts.length <= depth) break;
      const holder = parts.slice(0, -depth);
      for (const other of at(holder)) {
        if (other === names) continue;
        const own = parts.slice(-depth);
        const node = other.values.get(own[0]!) ?? other.calls.get(own[0]!) ??
          (depth === 1 ? other.functions.get(own[0]!) : other.methods.get(own.join(".")));
        if (node !== undefined) found.push({ names: other, node });
        else if (other.constants.has(own.join("."))) return [];
      }
    }
    return found.length > 0 ? found : null;
  };
}
