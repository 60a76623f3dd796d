/**
 * What the modules of a Python project hold, and where they use it.
 *
 * @module
 */
import type { FindFunction } from "../audit/flow/observed.ts";
import { functionFinder } from "../audit/flow/functions.ts";
import { moduleValues } from "../python/values/assigned.ts";
import { dottedText, firstPart, type PythonNames, resolve } from "../python/names.ts";
import { nodeTypes } from "../syntax/node_types.ts";
import { textOf } from "../syntax/source_tree.ts";
import { child, type SyntaxNode, walk } from "../syntax/tree.ts";

/** An expression and the module whose names it is written in. */
export interface Expression {
  names: PythonNames;
  node: SyntaxNode;
  /** What the expression is, where no node says so: the name of an enumeration's member. */
  text?: string;
}

/** What is done with a function or a kept decorator: it is called, or decorates a function. */
export interface Use {
  names: PythonNames;
  /** The call; null for `@name` without arguments. */
  call: SyntaxNode | null;
  /** The function that is decorated by what is used, or by what its call gives. */
  decorated: SyntaxNode | null;
}

const MAX_HOPS = 5;
const IDENTIFIERS = nodeTypes("identifier");
const CLASSES = nodeTypes("class_definition");

function dottedPath(path: string): string {
  return path.replace(/\.pyw?$/, "").replace(/(^|\/)__init__$/, "").replaceAll("/", ".");
}

/** A name as it is from the repository's root: `.a.b` in `app/server.py` is `app.a.b`. */
function absolute(names: PythonNames, dotted: string): string {
  const level = /^\.*/.exec(dotted)![0].length;
  if (level === 0) return dotted;
  const folders = names.tree.path.split("/").slice(0, -1);
  return [...folders.slice(0, folders.length - level + 1), dotted.slice(level)]
    .filter((part) => part !== "").join(".");
}

/** What a module that imports a name from elsewhere calls it there. */
function elsewhere(names: PythonNames, name: string): string | null {
  const head = name.split(".")[0]!;
  const meant = names.bindings.get(head);
  return meant === undefined || meant === head ? null : meant + name.slice(head.length);
}

/** What the modules of a project (by path) hold. */
export class Constants {
  /** Finds functions of the project by the names that a module calls them. */
  readonly find: FindFunction;
  /** Names that are given what a call with a `tool` in it makes: kept decorators, perhaps. */
  readonly kept: ReadonlySet<string>;
  /** Steps that are left to find what one expression may be: names may lead to names without end. */
  readonly work = { left: 0 };
  readonly #modules: ReadonlyMap<string, PythonNames>;
  /** Modules by the last part of their dotted names. */
  readonly #byLast = new Map<string, { dotted: string; names: PythonNames }[]>();
  readonly #uses = new Map<string, Use[] | null>();

  constructor(modules: ReadonlyMap<string, PythonNames>) {
    const kept = new Set<string>();
    for (const names of modules.values()) {
      const dotted = dottedPath(names.tree.path);
      const last = dotted.split(".").at(-1)!;
      this.#byLast.set(last, [...this.#byLast.get(last) ?? [], { dotted, names }]);
      for (const name of names.calls.keys()) {
        if (/\btool\b/.test(textOf(names.tree, names.calls.get(name)!))) kept.add(name);
      }
    }
    this.find = functionFinder(modules).find;
    this.kept = kept;
    this.#modules = modules;
  }

  /** The module that a name begins with, and the rest of the name. */
  #split(names: PythonNames, dotted: string): [PythonNames, string] | null {
    const parts = absolute(names, dotted).split(".");
    for (let count = parts.length - 1; count > 0; count--) {
      const module = parts.slice(0, count).join(".");
      const found = this.#byLast.get(parts[count - 1]!)
        ?.find((each) => each.dotted === module || each.dotted.endsWith(`.${module}`));
      if (found !== undefined) return [found.names, parts.slice(count).join(".")];
    }
    return null;
  }

  /** As `held`, of a name that is the module's own. */
  own(module: PythonNames, name: string, hops = 0): Expression[] | null {
    const { values, open } = moduleValues(module, name);
    if (values.length > 0) return open ? null : values.map((node) => ({ names: module, node }));
    const next = elsewhere(module, name);
    return next === null ? null : this.held(module, next, hops + 1);
  }

  /** Values that a dotted name has in the module that it comes from; null when more may be. */
  held(names: PythonNames, dotted: string, hops = 0): Expression[] | null {
    const place = this.#split(names, dotted);
    return place === null || hops > MAX_HOPS ? null : this.own(place[0], place[1], hops);
  }

  /** The class of that name. */
  classOf(names: PythonNames, dotted: string, hops = 0): Expression | null {
    const place = dotted.includes(".") ? this.#split(names, dotted) : [names, dotted] as const;
    if (place === null || hops > MAX_HOPS) return null;
    const [module, name] = place;
    for (const node of module.tree.text.includes(name) ? walk(module.tree.root, CLASSES) : []) {
      const own = child(node, "name");
      if (own !== null && textOf(module.tree, own) === name) return { names: module, node };
    }
    const next = elsewhere(module, name);
    return next === null ? null : this.classOf(module, next, hops + 1);
  }

  /** Whether a name in some module may mean what `home` has under it. */
  #means(names: PythonNames, written: SyntaxNode, home: PythonNames, name: string) {
    const meant = resolve(names, written);
    if (meant === null) return true;
    if (names === home && !names.bindings.has(firstPart(dottedText(names.tree, written)!))) {
      return true;
    }
    const place = this.#split(names, meant);
    if (place === null) return meant === name && names.imports.some((each) => each.name === "*");
    return place[0] === home || elsewhere(place[0], place[1]) !== null;
  }

  /** Where any module has a name, or an attribute, that may mean what `home` has under it. */
  mentionsOf(home: PythonNames, name: string): Expression[] {
    const found: Expression[] = [];
    for (const names of this.#modules.values()) {
      for (const node of names.tree.text.includes(name) ? walk(names.tree.root, IDENTIFIERS) : []) {
        if (textOf(names.tree, node) !== name || node.parent === null) continue;
        const isAttribute = node.parent.type === "attribute" && node.field === "attribute";
        const written = isAttribute ? node.parent : node;
        if (!MAKING.test(written.parent!.type) && this.#means(names, written, home, name)) {
          found.push({ names, node: written });
        }
      }
    }
    return found;
  }

  /** Every use of a name of a module; null when it is handed on in other ways. */
  usesOf(home: PythonNames, name: string): Use[] | null {
    const key = `${home.tree.path}\n${name}`;
    let found = this.#uses.get(key);
    if (found === undefined) {
      found = [];
      for (const names of this.#modules.values()) {
        const more: Use[] | null = names.tree.text.includes(name)
          ? usesIn(names, name, (node) => this.#means(names, node, home, name))
          : [];
        if (more === null) {
          found = null;
          break;
        }
        found.push(...more);
      }
      this.#uses.set(key, found);
    }
    return found;
  }
}

/** Statements in which a name is made or imported, not used. */
const MAKING =
  /^(function_definition|class_definition|import_from_statement|import_statement|dotted_name|aliased_import|keyword_argument|global_statement|nonlocal_statement)$/;

/** The uses of a name in one module; null when it is handed on. */
function usesIn(
  names: PythonNames,
  name: string,
  isMeant: (node: SyntaxNode) => boolean,
): Use[] | null {
  const found: Use[] = [];
  for (const node of walk(names.tree.root, IDENTIFIERS)) {
    if (textOf(names.tree, node) !== name || node.parent === null) continue;
    const attribute = node.parent.type === "attribute";
    // `name.other` and `name = …` do not use what the name holds.
    if (attribute && node.field === "object") continue;
    const written = attribute ? node.parent : node;
    const around = written.parent!;
    if (!attribute && MAKING.test(around.type) && node.field !== "value") continue;
    if (around.type === "assignment" && written.field === "left") continue;
    if (!isMeant(written)) continue;
    if (around.type === "decorator") {
      found.push({ names, call: null, decorated: definitionOf(around) });
    } else if (around.type === "call" && written.field === "function") {
      const outer = around.parent?.type === "decorator" ? around.parent : null;
      found.push({ names, call: around, decorated: outer === null ? null : definitionOf(outer) });
    } else return null;
  }
  return found;
}

function definitionOf(decorator: SyntaxNode): SyntaxNode | null {
  return decorator.parent === null ? null : child(decorator.parent, "definition");
}
