/**
 * Which modules of a repository the entrypoint reaches by import.
 *
 * @module
 */
import { nodeTypes } from "../syntax/node_types.ts";
import { child, type SyntaxNode, walk } from "../syntax/tree.ts";
import { stringValue } from "./literals.ts";
import { argumentsOf, type Import, type PythonNames, resolve } from "./names.ts";

const CALLS = nodeTypes("call");

/** What is reached. `unclear` means that more may be: modules are imported by computed names. */
export interface Reach {
  reached: Set<string>;
  unclear: boolean;
}

const BY_NAME = new Set(["importlib.import_module", "__import__", "runpy.run_module"]);
const SEARCHES = new Set([
  "pkgutil.iter_modules",
  "pkgutil.walk_packages",
  "importlib.util.spec_from_file_location",
  "importlib.machinery.SourceFileLoader",
  "runpy.run_path",
  "execfile",
]);

function folderOf(path: string): string {
  const at = path.lastIndexOf("/");
  return at < 0 ? "" : path.slice(0, at);
}

function join(folder: string, ...parts: string[]): string {
  return [folder, ...parts].filter((part) => part !== "").join("/");
}

/** The package of a computed name that begins literally: `f"app.tools.{name}"`, `"app." + name`. */
function packageOf(names: PythonNames, node: SyntaxNode | undefined): string | null {
  if (node === undefined || !/^(string|binary_operator)$/.test(node.type)) return null;
  const text = names.tree.text.slice(node.start, node.end);
  const found = /^[fF]?["'](?:(\.{0,3}[A-Za-z_]\w*(?:\.\w+)*)\.|(\.{1,3}))(?:\{|["']\s*\+)/.exec(
    text,
  );
  return found?.[1] ?? found?.[2] ?? null;
}

interface RuntimeImports {
  modules: string[];
  /** Packages of which any module may be imported. */
  packages: string[];
  unclear: boolean;
}

/** Modules that are imported by name at run time, and whether names are computed. */
function runtimeImports(names: PythonNames): RuntimeImports {
  const modules: string[] = [];
  const packages: string[] = [];
  let unclear = false;
  for (const node of walk(names.tree.root, CALLS)) {
    const callee = child(node, "function");
    const meant = callee === null ? null : resolve(names, callee);
    if (meant === null) continue;
    if (SEARCHES.has(meant)) unclear = true;
    if (!BY_NAME.has(meant)) continue;
    const [first] = argumentsOf(names.tree, node).positional;
    const module = first === undefined ? null : stringValue(names.tree.text, first);
    if (module !== null) modules.push(module);
    else {
      const holder = packageOf(names, first);
      if (holder === null) unclear = true;
      else packages.push(holder);
    }
  }
  return { modules, packages, unclear };
}

/** Follows imports from `entrypoint` through `modules` (path to names). */
export function pythonReach(modules: ReadonlyMap<string, PythonNames>, entrypoint: string): Reach {
  const start = folderOf(entrypoint);
  const roots = new Set([start, "", "src"]);
  // The package that holds the entrypoint is importable by its own name.
  for (let up = start; up !== "" && modules.has(join(up, "__init__.py"));) {
    up = folderOf(up);
    roots.add(up);
  }
  const reached = new Set<string>();
  const waiting = [entrypoint];
  let unclear = !modules.has(entrypoint);

  /** Queues the modules along a dotted name below a folder; its own package when `from` is 0. */
  function visit(folder: string, dotted: string[], from: 0 | 1): void {
    for (let length = from; length <= dotted.length; length++) {
      const path = join(folder, ...dotted.slice(0, length));
      for (const file of [`${path}.py`, join(path, "__init__.py")]) {
        if (modules.has(file)) waiting.push(file);
      }
    }
  }
  function follow(file: string, { module, level, name }: Omit<Import, "node">): void {
    const parts = module === "" ? [] : module.split(".");
    // `from a import b` reaches a/b.py when there is one.
    const dotted = name === null || name === "*" ? parts : [...parts, name];
    if (level === 0) {
      // Python takes the first place that has the module; a scan looks at all.
      for (const root of roots) visit(root, dotted, 1);
      return;
    }
    let folder = folderOf(file);
    for (let up = 1; up < level; up++) folder = folderOf(folder);
    visit(folder, dotted, 0);
  }

  /** Queues every module right in a package. */
  function all(file: string, dotted: string): void {
    const level = /^\.*/.exec(dotted)![0].length;
    const parts = dotted.slice(level).split(".");
    let base = folderOf(file);
    for (let up = 1; up < level; up++) base = folderOf(base);
    const folders = new Set(
      (level === 0 ? [...roots] : [base]).map((root) => join(root, ...parts)),
    );
    for (const folder of folders) visit("", folder.split("/"), 1);
    for (const path of modules.keys()) if (folders.has(folderOf(path))) waiting.push(path);
  }

  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const names = modules.get(file);
    if (names === undefined || reached.has(file)) continue;
    reached.add(file);
    const runtime = runtimeImports(names);
    unclear ||= runtime.unclear;
    for (const each of names.imports) follow(file, each);
    for (const module of runtime.modules) {
      const level = /^\.*/.exec(module)![0].length;
      follow(file, { module: module.slice(level), level, name: null });
    }
    for (const each of runtime.packages) all(file, each);
  }
  return { reached, unclear };
}
