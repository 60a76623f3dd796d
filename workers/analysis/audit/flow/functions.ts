/**
 * Functions of a Python project by the names that callers use.
 *
 * @module
 */
import type { PythonNames } from "../../python/names.ts";
import type { FindFunction } from "./flow.ts";

function moduleName(path: string): string {
  return path.replace(/\.pyw?$/, "").replace(/\/__init__$/, "").replaceAll("/", ".");
}

/** A finder over the project's modules. */
export function functionFinder(modules: ReadonlyMap<string, PythonNames>): FindFunction {
  const byLastPart = new Map<string, { dotted: string; names: PythonNames }[]>();
  for (const [path, names] of modules) {
    const dotted = moduleName(path);
    const last = dotted.split(".").at(-1)!;
    byLastPart.set(last, [...byLastPart.get(last) ?? [], { dotted, names }]);
  }
  return (names, name) => {
    const parts = name.replace(/^\.+/, "").split(".");
    const own = parts.at(-1)!;
    const holder = parts.slice(0, -1);
    if (holder.length === 0 || (holder.length === 1 && /^(self|cls)$/.test(holder[0]!))) {
      const definition = names.functions.get(own);
      return definition === undefined ? null : { names, definition };
    }
    const module = holder.join(".");
    const found = byLastPart.get(holder.at(-1)!)
      ?.find(({ dotted }) => dotted === module || dotted.endsWith(`.${module}`));
    const definition = found?.names.functions.get(own);
    return found === undefined || definition === undefined
      ? null
      : { names: found.names, definition };
  };
}
