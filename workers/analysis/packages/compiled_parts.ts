/**
 * Whether a package's compiled modules can run, or whether it works without them: then each must have
 * a Python module of the same name beside it, or be imported only where its absence is handled.
 *
 * @module
 */

const decoder = new TextDecoder();
/** Lines of one import. */
const MAX_LINES = 100;

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Whether a line stands in a `try`, an `if`, or a function, so that it need not run. */
function isGuarded(lines: readonly string[], at: number): boolean {
  let indent = indentOf(lines[at]!);
  for (let index = at - 1; index >= 0 && indent > 0; index--) {
    const line = lines[index]!;
    if (line.trim() === "" || indentOf(line) >= indent) continue;
    if (/^\s*(?:try\s*:|(?:el)?if\b|(?:async\s+)?def\b)/.test(line)) return true;
    indent = indentOf(line);
  }
  return false;
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

/** The compiled module that a package cannot do without; null when there is none. */
export function neededModule(files: ReadonlyMap<string, Uint8Array>): string | null {
  const compiled = [...files.keys()].filter((path) => /\.(?:so|pyd)$/.test(path));
  const python = pythonModules(files.keys());
  const bare = new Set(compiled.map(moduleName).filter((module) => !python.has(module)));
  if (bare.size === 0) return null;
  const last = [...bare].map((module) => module.slice(module.lastIndexOf(".") + 1));
  for (const [path, content] of files) {
    if (!path.endsWith(".py")) continue;
    const text = decoder.decode(content);
    if (!last.some((name) => text.includes(name))) continue;
    // Relative imports are counted from the folder.
    const importer = path.split("/").slice(0, -1);
    const lines = text.split("\n");
    for (const [at, line] of lines.entries()) {
      if (!/^\s*(?:from|import)\s/.test(line)) continue;
      const found = importedBy(statementAt(lines, at), importer).find((name) => bare.has(name));
      if (found !== undefined && !isGuarded(lines, at)) return found;
    }
  }
  return null;
}
