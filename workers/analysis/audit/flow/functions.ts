/**
 * Functions of a Python project by the names that callers use.
 *
 * @module
 */
import { firstPart, type PythonNames, resolve } from "../../python/names.ts";
import { child } from "../../syntax/tree.ts";
import type { ProjectFunctions } from "./flow.ts";
import type { FindFunction } from "./observed.ts";

type Found = NonNullable<ReturnType<FindFunction>>;

function moduleName(path: string): string {
  return path.replace(/\.pyw?$/, "").replace(/\/__init__$/, "").replaceAll("/", ".");
}

/** Finders over the project's modules. */
export function functionFinder(modules: ReadonlyMap<string, PythonNames>): ProjectFunctions {
  const byLastPart = new Map<string, { dotted: string; names: PythonNames }[]>();
  for (const [path, names] of modules) {
    const dotted = moduleName(path);
    const last = dotted.split(".").at(-1)!;
    byLastPart.set(last, [...byLastPart.get(last) ?? [], { dotted, names }]);
  }
  function inModule(parts: readonly string[]): PythonNames | undefined {
    const module = parts.join(".");
    return byLastPart.get(parts.at(-1) ?? "")
      ?.find(({ dotted }) => dotted === module || dotted.endsWith(`.${module}`))?.names;
  }

  /** `object.method` where this module says what the object is: an instance or a class. */
  function ofObject(names: PythonNames, holder: string, own: string): Found | null {
    const made = names.calls.get(holder);
    const maker = made === undefined ? null : child(made, "function");
    const cls = maker === null ? holder : resolve(names, maker) ?? holder;
    const parts = cls.replace(/^\.+/, "").split(".");
    const method = `${parts.at(-1)}.${own}`;
    for (const module of [names, inModule(parts.slice(0, -1))]) {
      const definition = module?.methods.get(method);
      if (definition !== undefined) return { names: module!, definition };
    }
    return null;
  }

  function look(names: PythonNames, name: string): Found | null {
    const parts = name.replace(/^\.+/, "").replaceAll("()", "").split(".");
    const own = parts.at(-1)!;
    const holder = parts.slice(0, -1);
    if (holder.length === 0) {
      // Whoever calls a class calls how it is made.
      const definition = names.functions.get(own) ?? names.methods.get(`${own}.__init__`);
      return definition === undefined ? null : { names, definition };
    }
    if (holder.length === 1 && /^(self|cls)$/.test(holder[0]!)) {
      const definition = names.methods.get(own) ?? names.functions.get(own);
      return definition === undefined ? null : { names, definition };
    }
    const method = ofObject(names, holder.at(-1)!, own);
    if (method !== null) return method;
    // `module.function`, `module.Class.method`.
    for (const module of [holder, holder.slice(0, -1)]) {
      const there = inModule(module);
      const definition = there?.functions.get(own) ?? there?.methods.get(`${own}.__init__`);
      if (definition !== undefined) return { names: inModule(module)!, definition };
    }
    // `instance.method` of this module; imports were looked at above.
    const imported = names.imports.some(({ name: what, module }) =>
      holder[0] === (what ?? firstPart(module))
    );
    const definition = imported ? undefined : names.methods.get(own) ?? names.functions.get(own);
    return definition === undefined ? null : { names, definition };
  }

  // Rules ask for the same names again and again.
  const known = new WeakMap<PythonNames, Map<string, Found | null>>();
  function find(names: PythonNames, name: string): Found | null {
    let found = known.get(names);
    if (found === undefined) known.set(names, found = new Map());
    let result = found.get(name);
    if (result === undefined) found.set(name, result = look(names, name));
    return result;
  }

  return {
    find,
    findModule: (_, dotted) => inModule(dotted.replace(/^\.+/, "").split(".")),
    modules,
  };
}
