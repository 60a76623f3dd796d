/**
 * Whether a package's compiled modules can run, or whether it works without them: then each must have
 * a Python module of the same name beside it, or be imported only where its absence is handled.
 *
 * @module
 */

const decoder = new TextDecoder();
/** Lines of one import. */
const MAX_LINES = 100;

/** What a line may stand in so that it may fail, or need not run. */
const EXPECTED = /^\s*(?:try\s*:|with\b.*\bsuppress\()/;
const LATER = /^\s*(?:(?:el)?if\b|(?:async\s+)?def\b)/;

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Whether a line may fail, need not run, or neither. */
type Guard = "expected" | "later" | null;

function guardOf(lines: readonly string[], at: number): Guard {
  let guard: Guard = null;
  let indent = indentOf(lines[at]!);
  for (let index = at - 1; index >= 0 && indent > 0; index--) {
    const line = lines[index]!;
    if (line.trim() === "" || indentOf(line) >= indent) continue;
    if (EXPECTED.test(line)) return "expected";
    if (LATER.test(line)) guard = "later";
    indent = indentOf(line);
  }
  return guard;
}

/** A path below the folder of packages as a module's name, without endings and tags. */
export function moduleName(path: string): string {
  const at = path.lastIndexOf("/") + 1;
  return (path.slice(0, at) + path.slice(at).split(".")[0]!).replaceAll("/", ".");
}

/** Dotted names of what can be imported without any compiled file. */
export function pythonModules(paths: Iterable<string>): Set<string> {
  return new Set([...paths].filter((path) => path.endsWith(".py")).map(moduleName));
}

/** The whole of an import that begins at a line, without brackets. */
function statementAt(lines: readonly string[], at: number): string {
  const open = lines[at]!.indexOf("(");
  if (open < 0) return lines[at]!;
  const end = lines.slice(at, at + MAX_LINES).findIndex((line) => line.includes(")"));
  return lines.slice(at, at + Math.max(end, 0) + 1).join(" ").replace(/[()]/g, " ");
}

/** The modules that an import may name, in the file of the module `importer`. */
function importedBy(statement: string, importer: readonly string[]): string[] {
  const [, dots = "", from = "", names = ""] =
    /^\s*from\s+(\.*)([\w.]*)\s+import\s+(.*)$/.exec(statement) ?? [];
  if (names !== "") {
    const above = dots === "" ? [] : importer.slice(0, importer.length - dots.length + 1);
    const base = [...above, ...(from === "" ? [] : from.split("."))].join(".");
    const words = names.replace(/#.*$/, "").split(",").map((name) => name.trim().split(/\s/)[0]!);
    return [base, ...words.map((word) => base === "" ? word : `${base}.${word}`)];
  }
  const plain = /^\s*import\s+(.*)$/.exec(statement)?.[1] ?? "";
  return plain.split(",").map((name) => name.trim().split(/\s/)[0]!);
}

/** Whether a compiled module is WebAssembly: all others are for machines that no session has. */
export function isForInterpreter(content: Uint8Array): boolean {
  return [0x00, 0x61, 0x73, 0x6d].every((byte, at) => content[at] === byte);
}

/** A module that a file needs, or does without where it is absent. */
interface Use {
  module: string;
  guard: Guard;
}

/** Which of `modules` a file imports, or has a loader look for by their names. */
function usesOf(path: string, text: string, modules: ReadonlySet<string>): Use[] {
  // Relative imports are counted from the folder.
  const importer = path.split("/").slice(0, -1);
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const named = /^\s*(?:from|import)\s/.test(line)
      ? importedBy(statementAt(lines, at), importer)
      : [/\w\(\s*["']([\w.]+)["']/.exec(line)?.[1] ?? ""].filter((name) => name.includes("."));
    return named.filter((name) => modules.has(name))
      .map((module) => ({ module, guard: guardOf(lines, at) }));
  });
}

/**
 * The compiled module that a package cannot do without; null when there is none. A module that needs
 * one is done without as well, where all that import it expect that.
 */
export function neededModule(files: ReadonlyMap<string, Uint8Array>): string | null {
  const compiled = [...files.keys()].filter((path) => /\.(?:so|pyd)$/.test(path));
  const python = pythonModules(files.keys());
  const bare = compiled.map(moduleName).filter((module) => !python.has(module));
  if (bare.length === 0) return null;
  const importName = (path: string) => moduleName(path).replace(/\.__init__$/, "");
  const sources = [...files].filter(([path]) => path.endsWith(".py"));
  const modules = new Set([...bare, ...sources.map(([path]) => importName(path))]);
  const uses = sources.flatMap(([path, content]) =>
    usesOf(path, decoder.decode(content), modules).map((use) => ({ ...use, by: importName(path) }))
  );
  // Servers import the package itself, whatever a part of it expects.
  const expected = new Set(
    uses.filter(({ module, guard }) => guard === "expected" && module.includes("."))
      .map(({ module }) => module),
  );
  const needing = uses.filter(({ guard }) => guard === null);
  /** The compiled module for want of which a module cannot be imported. */
  const absent = new Map(bare.map((module) => [module, module]));
  for (let before = 0; before < absent.size;) {
    before = absent.size;
    for (const { module, by } of needing) {
      const wanted = absent.get(module);
      if (wanted === undefined) continue;
      if (!expected.has(by)) return wanted;
      if (!absent.has(by)) absent.set(by, wanted);
    }
  }
  return null;
}
