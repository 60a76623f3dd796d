/**
 * Dangerous functions and the modules that hold them, where one module of a project takes them from
 * another: `from helper import go`, of which only `helper` says that it is `os.system`.
 *
 * @module
 */
import { grows, setByText, setIn } from "../values/changed.ts";
import type { PythonNames } from "../names.ts";
import { isDangerous } from "../calls/sinks.ts";
import { usual } from "../calls/usual_name.ts";

const HOLDS_DANGER =
  /^(os|subprocess|builtins|posix|nt|pty|importlib|pickle|marshal|sys|runpy|code|ctypes|asyncio)$/;
const MAX_ROUNDS = 4;

function moduleOf(path: string): string {
  return path.replace(/\.pyw?$/, "").replace(/(^|\/)__init__$/, "").replaceAll("/", ".");
}

/** A name as it is from the repository's root: `.a.b` in `app/server.py` is `app.a.b`. */
function absolute(names: PythonNames, meaning: string): string {
  const level = /^\.*/.exec(meaning)![0].length;
  if (level === 0) return meaning;
  const folders = names.tree.path.split("/").slice(0, -1);
  return [...folders.slice(0, folders.length - level + 1), meaning.slice(level)]
    .filter((part) => part !== "").join(".");
}

class Exporters {
  readonly #byLast = new Map<string, { dotted: string; names: PythonNames }[]>();
  readonly #exports = new Map<PythonNames, Map<string, string>>();

  constructor(modules: Iterable<PythonNames>) {
    for (const names of modules) {
      const dotted = moduleOf(names.tree.path);
      const last = dotted.split(".").at(-1)!;
      const list = this.#byLast.get(last) ?? [];
      this.#byLast.set(last, list);
      list.push({ dotted, names });
    }
  }

  /** What a module hands on that matters, by the name it has there. */
  of(names: PythonNames): Map<string, string> {
    let found = this.#exports.get(names);
    if (found === undefined) {
      found = new Map();
      for (const [name, meaning] of [...names.bindings, ...names.read.attributes]) {
        const meant = usual(meaning);
        if (meaning !== name && (HOLDS_DANGER.test(meant) || isDangerous(meant))) {
          found.set(name, meaning);
        }
      }
      this.#exports.set(names, found);
    }
    return found;
  }

  /** The module that a dotted name means, by the end of its path. */
  at(dotted: string): PythonNames | undefined {
    return this.#byLast.get(dotted.split(".").at(-1) ?? "")
      ?.find((each) => each.dotted === dotted || each.dotted.endsWith(`.${dotted}`))?.names;
  }
}

function set(map: Map<string, string>, key: string, value: string): boolean {
  if (map.get(key) === value) return false;
  map.set(key, value);
  return true;
}

/** Modules whose names mean something that others said. */
const told = new WeakSet<PythonNames>();

/** Whether a module's names mean all that they mean by what is in the module alone. */
export function speaksForItself(names: PythonNames): boolean {
  return !told.has(names);
}

/** Notes what a module changes in another, of which `local` stands for all or for one name. */
function noteChanges(
  { tree }: PythonNames,
  local: string,
  whole: PythonNames | undefined,
  of: { names: PythonNames; name: string } | null,
): boolean {
  const before = (whole?.changed.size ?? 0) + (of?.names.changed.size ?? 0);
  if (whole !== undefined) { for (const name of setIn(tree.text, local)) whole.changed.add(name); }
  if (of !== null && grows(tree.text, local)) of.names.changed.add(of.name);
  for (const each of [whole, of?.names]) {
    if (each !== undefined && each.changed.size > 0) told.add(each);
  }
  return (whole?.changed.size ?? 0) + (of?.names.changed.size ?? 0) > before;
}

function link(names: PythonNames, exporters: Exporters): boolean {
  let changed = false;
  for (const [local, meaning] of [...names.bindings]) {
    const path = absolute(names, meaning);
    const whole = exporters.at(path);
    if (whole !== undefined && whole !== names) {
      for (const [name, meant] of exporters.of(whole)) {
        if (set(names.exported, `${meaning}.${name}`, meant)) changed = true;
      }
    }
    const dot = path.lastIndexOf(".");
    const from = dot < 0 ? undefined : exporters.at(path.slice(0, dot));
    const other = from === names ? undefined : from;
    const own = path.slice(dot + 1);
    const part = other === undefined ? null : { names: other, name: own };
    if (noteChanges(names, local, whole === names ? undefined : whole, part)) changed = true;
    for (const [name, meant] of other === undefined ? [] : exporters.of(other)) {
      if (name === own && set(names.bindings, local, meant)) changed = true;
      // `from helper import Class`, of which the body imports something.
      const held = name.startsWith(`${own}.`) ? name.slice(own.length) : null;
      if (held !== null && set(names.exported, meaning + held, meant)) changed = true;
    }
  }
  for (const { module, level, name } of names.imports) {
    if (name === null && module.includes(".")) {
      const whole = exporters.at(module);
      if (noteChanges(names, module, whole === names ? undefined : whole, null)) changed = true;
    }
    if (name !== "*") continue;
    const from = exporters.at(absolute(names, ".".repeat(level) + module));
    if (from === undefined || from === names) continue;
    for (const [each, meant] of exporters.of(from)) {
      if (names.bindings.has(each) || names.functions.has(each)) continue;
      changed = set(names.bindings, each, meant) || changed;
    }
  }
  return changed;
}

const COMPILES = /\b(eval|exec|compile)\b/;

/** Notes names that may be set in any module that compiles text: `sys.modules[m].NAME = x`. */
function noteFound(modules: ReadonlyMap<string, PythonNames>): boolean {
  const all = [...modules.values()];
  const found = new Set(all.flatMap(({ tree }) => setByText(tree.text)));
  if (found.size === 0) return false;
  let changed = false;
  for (const { tree, changed: own } of all) {
    if (!COMPILES.test(tree.text)) continue;
    const before = own.size;
    for (const name of found) own.add(name);
    changed = own.size > before || changed;
  }
  return changed;
}

/** Tells each module what the names mean that it has from others; whether there was any to tell. */
export function linkExports(modules: ReadonlyMap<string, PythonNames>): boolean {
  let changed = noteFound(modules);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const exporters = new Exporters(modules.values());
    let more = false;
    for (const names of modules.values()) {
      if (!link(names, exporters)) continue;
      told.add(names);
      more = true;
    }
    if (!more) break;
    changed = true;
  }
  return changed;
}
