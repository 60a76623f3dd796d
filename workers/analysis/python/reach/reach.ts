/**
 * Which modules of a repository the entrypoint reaches: by import, by changes of the path, by files
 * that are run.
 *
 * @module
 */
import { embeddedPath, hostOf } from "./embedded_paths.ts";
import type { Load } from "./loads.ts";
import type { Import } from "./imports.ts";
import type { PythonNames } from "../names.ts";
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

/** Which files run when the entrypoint is started, and how sure that is. */
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

/** The folder that an import of `level` dots in `file` begins at. */
function packageOf(file: string, level: number): string {
  let folder = folderOf(file);
  for (let up = 1; up < level; up++) folder = folderOf(folder);
  return folder;
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

/** A walk along imports and loads, from the entrypoint or from more files. */
class Walk {
  readonly reached = new Set<string>();
  readonly unread = new Set<string>();
  readonly unclear = { names: false, paths: false };
  readonly binaries = new Map<string, Place>();
  readonly #known: Reachable;
  readonly #over: readonly string[];
  readonly #roots: Set<string>;
  readonly #waiting: string[];
  /** The import that is followed. */
  #via: Place | null = null;
  /** Imports from anywhere that a new root may answer. */
  readonly #absolute = new Map<string, string[]>();

  constructor(known: Reachable, more: readonly string[]) {
    const { entrypoint } = known;
    const start = folderOf(entrypoint);
    this.#known = known;
    this.#over = foldersOver(entrypoint);
    // The package that holds the entrypoint is importable by its own name, its project from its
    // `src`.
    this.#roots = new Set([start, "", "src", ...this.#over.flatMap((f) => [f, join(f, "src")])]);
    this.#waiting = [entrypoint];
    if (more.length > 0) {
      // Where the entrypoint offers no server, a session tries these.
      for (const module of known.starts) this.#byName(entrypoint, module);
      this.#take(join(start, "__main__.py"));
      this.#waiting.push(...more);
    }
    this.#walk();
  }

  #walk(): void {
    const { modules, files } = this.#known;
    for (let file = this.#waiting.pop(); file !== undefined; file = this.#waiting.pop()) {
      const names = modules.get(file);
      if (names === undefined) {
        if (files.has(file)) this.unread.add(file);
        continue;
      }
      if (this.reached.has(file)) continue;
      this.reached.add(file);
      this.#packagesOf(file);
      for (const each of names.imports) this.#follow(file, each);
      for (const each of this.#known.loads(names)) this.#load(file, each);
    }
  }

  #take(file: string): void {
    if (this.#known.modules.has(file)) this.#waiting.push(file);
    else if (this.#known.files.has(file)) this.unread.add(file);
  }

  /** Queues the modules along a dotted name below a folder; its own package when `from` is 0. */
  #visit(folder: string, dotted: readonly string[], from: 0 | 1): void {
    for (let length = from; length <= dotted.length; length++) {
      const path = join(folder, ...dotted.slice(0, length));
      this.#take(`${path}.py`);
      this.#take(join(path, "__init__.py"));
      const compiled = this.#known.compiled.get(path);
      if (compiled !== undefined && this.#via !== null) this.binaries.set(compiled, this.#via);
    }
  }

  #follow(
    file: string,
    { module, level, name, node }: Omit<Import, "node"> & { node?: number },
  ): void {
    const parts = module === "" ? [] : module.split(".");
    // `from a import b` reaches a/b.py when there is one.
    const dotted = name === null || name === "*" ? parts : [...parts, name];
    this.#via = node === undefined ? null : { file, node };
    if (level === 0) {
      this.#absolute.set(dotted.join("."), dotted);
      // Python takes the first place that has the module; a scan looks at all.
      for (const root of this.#roots) this.#visit(root, dotted, 1);
      return;
    }
    this.#visit(packageOf(file, level), dotted, 0);
  }

  #byName(file: string, module: string): void {
    const level = /^\.*/.exec(module)![0].length;
    const dotted = module.slice(level).replaceAll(":", ".");
    this.#follow(file, { module: dotted, level, name: null });
    this.#follow(file, { module: join(dotted, "__main__").replace("/", "."), level, name: null });
  }

  /** Queues every module right in a package. */
  #all(file: string, dotted: string): void {
    const level = /^\.*/.exec(dotted)![0].length;
    const parts = dotted.slice(level).split(".").filter((part) => part !== "");
    const bases = level === 0 ? [...this.#roots] : [packageOf(file, level)];
    const folders = new Set(bases.map((base) => join(base, ...parts)));
    for (const folder of folders) this.#visit("", folder.split("/"), 1);
    for (const path of this.#known.files) {
      if (!path.endsWith(".py")) continue;
      const holder = path.endsWith("/__init__.py") ? folderOf(folderOf(path)) : folderOf(path);
      if (folders.has(folderOf(path)) || folders.has(holder)) this.#take(path);
    }
  }

  /** Queues the packages that a module is in: they are imported before it. */
  #packagesOf(file: string): void {
    let folder = folderOf(hostOf(file));
    for (let init = join(folder, "__init__.py"); this.#known.files.has(init);) {
      this.#take(init);
      if (folder === "") return;
      folder = folderOf(folder);
      init = join(folder, "__init__.py");
    }
  }

  #addRoot(folder: string): void {
    if (this.#roots.has(folder)) return;
    this.#roots.add(folder);
    for (const dotted of this.#absolute.values()) this.#visit(folder, dotted, 1);
  }

  /** Queues every module in a folder, however deep. */
  #below(folder: string): void {
    for (const path of this.#known.files) {
      if (path.endsWith(".py") && (folder === "" || path.startsWith(`${folder}/`))) {
        this.#take(path);
      }
    }
  }

  #runFile(path: string): void {
    this.#take(path);
    this.#take(join(path, "__main__.py"));
    // A folder that is run is on the path.
    if (this.#known.files.has(join(path, "__main__.py"))) this.#addRoot(path);
  }

  #paths(file: string, given: readonly string[]): string[] {
    return given.flatMap((path) => inRepository(path, [...this.#over, folderOf(hostOf(file))]));
  }

  #load(file: string, each: Load): void {
    switch (each.kind) {
      case "module":
        if (each.modules === null) this.unclear.names = true;
        else for (const module of each.modules) this.#byName(file, module);
        return;
      case "package":
        return this.#all(file, each.module);
      case "folder":
        if (each.paths === null) this.unclear.paths = true;
        else {
          for (const folder of this.#paths(file, each.paths)) {
            this.#addRoot(folder);
            if (each.by === "package") this.#below(folder);
          }
        }
        return;
      case "file":
        if (each.paths === null) this.unclear.paths = true;
        else for (const path of this.#paths(file, each.paths)) this.#runFile(path);
        return;
      case "text":
        if (each.text.kind === "stated") {
          for (const index of each.text.texts.keys()) {
            this.#take(embeddedPath(file, each.node, index));
          }
        } else if (each.text.kind === "file") {
          for (const path of this.#paths(file, each.text.paths ?? [])) this.#take(path);
        }
        return;
      case "opaque":
        return;
    }
  }
}

/** Follows imports and loads from the entrypoint. */
export function pythonReach(known: Reachable): Reach {
  const { entrypoint, modules } = known;
  const sure = new Walk(known, []);
  let walked = new Walk(known, [entrypoint]);
  let names = sure.unclear.names || !modules.has(entrypoint);
  let paths = sure.unclear.paths;
  // What may run can in turn make more of it unclear.
  for (let round = 0; round < 2 && (names || paths); round++) {
    walked = new Walk(known, [entrypoint, ...(paths ? known.byPath : known.byName)]);
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
