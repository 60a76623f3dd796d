/**
 * Code that runs although no scan read it: files that are no source of the repository, archives and
 * bytecode, loaders of a program's own, text that is made or fetched when the program runs. What is
 * stated is not here: files and texts that are named literally are scanned like any module.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import type { Project } from "../../project.ts";
import { hostOf } from "../../python/reach/embedded_paths.ts";
import type { Load } from "../../python/reach/loads.ts";
import type { PythonNames } from "../../python/names.ts";
import { startImports } from "../../python/reach/start_imports.ts";
import { inRepository } from "../../python/reach/session_paths.ts";
import { folderOf, foldersOver } from "../../python/reach/reach.ts";
import type { SourceTree } from "../../syntax/source_tree.ts";
import { report, type Rule } from "../rule.ts";

/** What runs although no scan read it. */
export const UNSCANNED: Rule = {
  id: "py/unscanned-code",
  severity: "high",
  cwe: 829,
  advice: "Keep code in .py files of the repository and import it by name: Berth runs only what " +
    "a scan can read",
};

/** Every rule of this module. */
export const UNSCANNED_RULES: readonly Rule[] = [UNSCANNED];

const ARCHIVE = /\.(zip|egg|whl|pyz|pyzw|jar)(\/|$)/i;

const quoted = (text: string) => JSON.stringify(text.slice(0, 150));

class Looking {
  readonly #bases: string[];

  constructor(readonly project: Project, entrypoint: string) {
    this.#bases = foldersOver(entrypoint);
  }

  /** The first of these paths at which nothing was scanned. */
  #absent(names: PythonNames, paths: readonly string[]): string | undefined {
    const bases = [...this.#bases, folderOf(hostOf(names.tree.path))];
    const isThere = (path: string) =>
      this.project.python.has(path) ||
      this.project.python.has(path === "" ? "__main__.py" : `${path}/__main__.py`);
    return paths.find((path) => !inRepository(path, bases).some(isThere));
  }

  #file(names: PythonNames, paths: readonly string[] | null, by: string): string | null {
    if (paths === null) return `${by} runs a file whose name is computed`;
    const absent = this.#absent(names, paths);
    return absent === undefined ? null : `${by} runs ${quoted(absent)}, which was not scanned`;
  }

  /** What is wrong with a load; null when all that it can run was scanned. */
  title(names: PythonNames, load: Load): string | null {
    switch (load.kind) {
      case "file":
        return load.source && load.paths === null ? null : this.#file(names, load.paths, load.by);
      case "folder": {
        const archive = load.paths?.find((path) => ARCHIVE.test(path));
        if (archive !== undefined) {
          return `Modules are imported from the archive ${quoted(archive)}`;
        }
        return load.by === "site" && this.#hasPathFiles(names, load.paths ?? [])
          ? "site.addsitedir runs the lines of .pth files"
          : null;
      }
      case "text":
        if (load.text.kind === "file") return this.#file(names, load.text.paths, load.by);
        return load.text.kind === "computed" ? `${load.by} runs unscannable text` : null;
      case "opaque":
        return `${load.by} runs or loads unscanned code`;
      case "module":
      case "package":
        return null;
    }
  }

  #hasPathFiles(names: PythonNames, paths: readonly string[]): boolean {
    const bases = [...this.#bases, folderOf(hostOf(names.tree.path))];
    const folders = new Set(paths.flatMap((path) => inRepository(path, bases)));
    return this.project.pathFiles.some((path) => folders.has(folderOf(path)));
  }
}

/** Where a project runs code that the scan did not read; tests and documentation are looked at too. */
export function unscannedCode(project: Project, entrypoint: string): RawFinding[] {
  const looking = new Looking(project, entrypoint);
  const findings: RawFinding[] = [];
  for (const tree of project.trees) {
    const counts = project.mayRun(tree) || project.reached === null;
    const names = counts ? project.python.get(tree.path) : undefined;
    if (names === undefined) continue;
    for (const load of project.loads(names)) {
      const title = looking.title(names, load);
      if (title === null) continue;
      findings.push(report(UNSCANNED, tree, tree.root.numbered(load.node), title));
    }
  }
  for (const [binary, { file, node }] of project.binaries) {
    const tree = project.python.get(file)?.tree;
    if (tree === undefined) continue;
    const title = `${quoted(binary)} is imported, which is compiled code without source`;
    findings.push(report(UNSCANNED, tree, tree.root.numbered(node), title));
  }
  return findings;
}

/** Without those at whose lines a critical or high finding already says what runs there. */
export function notYetSaid(
  unscanned: readonly RawFinding[],
  others: readonly RawFinding[],
): RawFinding[] {
  const said = new Set(
    others.filter(({ severity }) => severity === "critical" || severity === "high")
      .map(({ file, line }) => `${file}\0${line}`),
  );
  return unscanned.filter(({ file, line }) => !said.has(`${file}\0${line}`));
}

/** What a session may compile of a project. */
export interface ScannedCode {
  /** Files that were analysed as what runs. */
  files: string[];
  /** SHA-256 of each literal text that is compiled. */
  texts: string[];
  /** Whether text is compiled that is not stated, of which the rules have said what they think. */
  computed: boolean;
  /** Top-level modules that are imported whenever it starts: of its own, or of packages. */
  imports: string[];
  /** Dotted names of what is imported then: modules, or names in modules. */
  modules: string[];
}

async function digestOf(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/**
 * The code of a project that was analysed as what runs. Where names or paths are computed, tests and
 * documentation may be meant by them: those without a critical or high finding may run too.
 *
 * @param out Modules that a session must not compile.
 */
export async function scannedCode(
  project: Project,
  found: readonly RawFinding[],
  out: ReadonlySet<string> = new Set(),
): Promise<ScannedCode> {
  const grave = new Set(
    found.filter(({ severity }) => severity === "critical" || severity === "high")
      .map(({ file }) => hostOf(file)),
  );
  const mayRun = (tree: SourceTree) =>
    project.mayRun(tree) ||
    (project.reached === null && tree.role !== "vendored" && !grave.has(hostOf(tree.path)));
  const running = project.trees.filter((tree) =>
    mayRun(tree) && !tree.broken && !out.has(hostOf(tree.path))
  );
  const { texts } = project.embedded;
  const stated = running.flatMap(({ path }) => texts.get(path) ?? []);
  return {
    files: running.map(({ path }) => path).filter((path) => !texts.has(path)),
    texts: [...new Set(await Promise.all(stated.map(digestOf)))].sort(),
    ...startImports([...project.certain].flatMap((path) => project.python.get(path) ?? [])),
    computed: running.some((tree) => {
      const names = project.python.get(tree.path);
      return names !== undefined &&
        project.loads(names).some((load) =>
          load.kind === "text" &&
          (load.text.kind === "caller" || load.text.kind === "computed")
        );
    }),
  };
}
