/**
 * Which modules of a repository the entrypoint reaches: by import, by changes of the path, by files
 * that are run.
 *
 * @module
 */
import { embeddedPath, hostOf } from "./embedded.ts";
import type { Load } from "./loads.ts";
import type { Import } from "./imports.ts";
import type { PythonNames } from "./names.ts";
import { inRepository } from "./session_paths.ts";

/** What is known of a repository. */
export interface Reachable {
  /** Modules that were read, by path. */
  modules: ReadonlyMap<string, PythonNames>;
  /** What each of them loads beside its imports. */
  loads(names: PythonNames): readonly Load[];
  /** Every file that there is. */
  files: ReadonlySet<string>;
  /** Compiled modules without source beside them, by the path of the module without suffix. */
  compiled: ReadonlyMap<string, string>;
  entrypoint: string;
  /** Modules that start the project in another way than by its entrypoint, by dotted names. */
  starts: readonly string[];
  /** Files that count as reached when any module may be imported by a computed name. */
  byName: readonly string[];
  /** The same when any file may be run. */
  byPath: readonly string[];
}

/** A node of a module. */
export interface Place {
  file: string;
  node: number;
}

/** What is reached. */
export interface Reach {
  /** Reached for certain. */
  certain: Set<string>;
  /** Reached for certain or perhaps. */
  reached: Set<string>;
  /** Whether modules are imported by computed names, or folders and files by computed paths. */
  unclear: boolean;
  /** Files that are reached and were not read. */
  unread: Set<string>;
  /** Compiled modules that have no source, with an import that leads to them. */
  binaries: ReadonlyMap<string, Place>;
}

/** The folder of a path; empty for the root. */
export function folderOf(path: string): string {
  const at = path.lastIndexOf("/");
  return at < 0 ? "" : path.slice(0, at);
}

function join(folder: string, ...parts: string[]): string {
  return [folder, ...parts].filter((part) => part !== "").join("/");
}

/** The folders that hold a file, outermost first. */
export function foldersOver(path: string): string[] {
  const folders = [""];
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) {
    folders.splice(1, 0, folder);
  }
  return folders;
}

/** What a walk from some files came by. */
interface Walked {
  reached: Set<string>;
  unread: Set<string>;
  unclear: { names: boolean; paths: boolean };
  binaries: Map<string, Place>;
}

/** Compiled modules that an import takes since there is no source of them. */
export function compiledModules(files: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of files) {
    const module = /^(.*(?:^|\/)[^./]+)(?:\.[\w.-]+)?\.(?:pyc|so|pyd)$/.exec(path)?.[1];
    if (module === undefined || /(^|\/)__pycache__\//.test(path)) continue;
    if (!files.has(`${module}.py`) && !files.has(`${module}/__init__.py`)) found.set(module, path);
  }
  return found;
}

function walkFrom(known: Reachable, more: readonly string[]): Walked {
  const { modules, files, entrypoint } = known;
  const start = folderOf(entrypoint);
  const over = foldersOver(entrypoint);
  const roots = new Set([start, "", "src"]);
  // The package that holds the entrypoint is importable by its own name, its project from its `src`.
  for (const folder of over) {
    roots.add(folder);
    roots.add(join(folder, "src"));
  }
  const reached = new Set<string>();
  const unread = new Set<string>();
  const unclear = { names: false, paths: false };
  const waiting: string[] = [entrypoint];
  const binaries = new Map<string, Place>();
  /** The import that is followed. */
  let via: Place | null = null;
  /** Imports from anywhere that a new root may answer. */
  const absolute = new Map<string, string[]>();

  function take(file: string): void {
    if (modules.has(file)) waiting.push(file);
    else if (files.has(file)) unread.add(file);
  }
  /** Queues the modules along a dotted name below a folder; its own package when `from` is 0. */
  function visit(folder: string, dotted: readonly string[], from: 0 | 1): void {
    for (let length = from; length <= dotted.length; length++) {
      const path = join(folder, ...dotted.slice(0, length));
      take(`${path}.py`);
      take(join(path, "__init__.py"));
      const compiled = known.compiled.get(path);
      if (compiled !== undefined && via !== null) binaries.set(compiled, via);
    }
  }
  function follow(
    file: string,
    { module, level, name, node }: Omit<Import, "node"> & { node?: number },
  ): void {
    const parts = module === "" ? [] : module.split(".");
    // `from a import b` reaches a/b.py when there is one.
    const dotted = name === null || name === "*" ? parts : [...parts, name];
    via = node === undefined ? null : { file, node };
    if (level === 0) {
      absolute.set(dotted.join("."), dotted);
      // Python takes the first place that has the module; a scan looks at all.
      for (const root of roots) visit(root, dotted, 1);
      return;
    }
    let folder = folderOf(file);
    for (let up = 1; up < level; up++) folder = folderOf(folder);
    visit(folder, dotted, 0);
  }
  function byName(file: string, module: string): void {
    const level = /^\.*/.exec(module)![0].length;
    const dotted = module.slice(level).replaceAll(":", ".");
    follow(file, { module: dotted, level, name: null });
    follow(file, { module: join(dotted, "__main__").replace("/", "."), level, name: null });
  }
  /** Queues every module right in a package. */
  function all(file: string, dotted: string): void {
    const level = /^\.*/.exec(dotted)![0].length;
    const parts = dotted.slice(level).split(".").filter((part) => part !== "");
    let base = folderOf(file);
    for (let up = 1; up < level; up++) base = folderOf(base);
    const folders = new Set(
      (level === 0 ? [...roots] : [base]).map((root) => join(root, ...parts)),
    );
    for (const folder of folders) visit("", folder.split("/"), 1);
    for (const path of files) {
      if (!path.endsWith(".py")) continue;
      const holder = path.endsWith("/__init__.py") ? folderOf(folderOf(path)) : folderOf(path);
      if (folders.has(folderOf(path)) || folders.has(holder)) take(path);
    }
  }
  /** Queues the packages that a module is in: they are imported before it. */
  function packagesOf(file: string): void {
    let folder = folderOf(hostOf(file));
    for (let init = join(folder, "__init__.py"); files.has(init);) {
      take(init);
      if (folder === "") return;
      folder = folderOf(folder);
      init = join(folder, "__init__.py");
    }
  }
  function addRoot(folder: string): void {
    if (roots.has(folder)) return;
    roots.add(folder);
    for (const dotted of absolute.values()) visit(folder, dotted, 1);
  }
  /** Queues every module in a folder, however deep. */
  function below(folder: string): void {
    for (const path of files) {
      if (path.endsWith(".py") && (folder === "" || path.startsWith(`${folder}/`))) take(path);
    }
  }
  function runFile(path: string): void {
    take(path);
    take(join(path, "__main__.py"));
    // A folder that is run is on the path.
    if (files.has(join(path, "__main__.py"))) addRoot(path);
  }
  function paths(file: string, given: readonly string[]): string[] {
    return given.flatMap((path) => inRepository(path, [...over, folderOf(hostOf(file))]));
  }
  function load(file: string, each: Load): void {
    switch (each.kind) {
      case "module":
        if (each.modules === null) unclear.names = true;
        else for (const module of each.modules) byName(file, module);
        return;
      case "package":
        return all(file, each.module);
      case "folder":
        if (each.paths === null) unclear.paths = true;
        else {
          for (const folder of paths(file, each.paths)) {
            addRoot(folder);
            if (each.by === "package") below(folder);
          }
        }
        return;
      case "file":
        if (each.paths === null) unclear.paths = true;
        else for (const path of paths(file, each.paths)) runFile(path);
        return;
      case "text":
        if (each.text.kind === "stated") {
          for (const index of each.text.texts.keys()) take(embeddedPath(file, each.node, index));
        } else if (each.text.kind === "file") {
          for (const path of paths(file, each.text.paths ?? [])) take(path);
        }
        return;
      case "opaque":
        return;
    }
  }

  if (more.length > 0) {
    // Where the entrypoint offers no server, a session tries these.
    for (const module of known.starts) byName(entrypoint, module);
    take(join(start, "__main__.py"));
    waiting.push(...more);
  }
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const names = modules.get(file);
    if (names === undefined) {
      if (files.has(file)) unread.add(file);
      continue;
    }
    if (reached.has(file)) continue;
    reached.add(file);
    packagesOf(file);
    for (const each of names.imports) follow(file, each);
    for (const each of known.loads(names)) load(file, each);
  }
  return { reached, unread, unclear, binaries };
}

/** Follows imports and loads from the entrypoint. */
export function pythonReach(known: Reachable): Reach {
  const { entrypoint, modules } = known;
  const sure = walkFrom(known, []);
  let walked = walkFrom(known, [entrypoint]);
  let names = sure.unclear.names || !modules.has(entrypoint);
  let paths = sure.unclear.paths;
  // What may run can in turn make more of it unclear.
  for (let round = 0; round < 2 && (names || paths); round++) {
    walked = walkFrom(known, [entrypoint, ...(paths ? known.byPath : known.byName)]);
    if (paths || !walked.unclear.paths) break;
    paths = true;
    names = true;
  }
  return {
    certain: sure.reached,
    reached: walked.reached,
    unclear: names || paths,
    unread: new Set([...sure.unread, ...walked.unread]),
    binaries: walked.binaries,
  };
}
