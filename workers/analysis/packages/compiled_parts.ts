/**
 * Whether a package works without its compiled modules: each of them must have a Python module of
 * the same name beside it, or be imported only where its absence is handled.
 *
 * @module
 */

const decoder = new TextDecoder();

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Whether a line stands in a `try`, an `if`, or a function, so that it need not run. */
function isGuarded(lines: readonly string[], at: number): boolean {
  let indent = indentOf(lines[at]!);
  for (let index = at - 1; index >= 0 && indent > 0; index--) {
    const line = lines[index]!;
    if (line.trim() === "" || indentOf(line) >= indent) continue;
    if (/^\s*(?:try\s*:|if\b|(?:async\s+)?def\b)/.test(line)) return true;
    indent = indentOf(line);
  }
  return false;
}

/** The module of a compiled file: the last part of its name, without tags. */
function moduleOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).split(".")[0]!;
}

function isImported(module: string, line: string): boolean {
  const parts = /^\s*(?:from\s+([\w.]+)\s+)?import\s+(.*)$/.exec(line);
  if (parts === null) return false;
  const [, from = "", names = ""] = parts;
  const words = new Set([...from.split("."), ...names.split(/[^\w]+/)]);
  return words.has(module);
}

/** The compiled module that a package cannot do without; null when there is none. */
export function neededModule(files: ReadonlyMap<string, Uint8Array>): string | null {
  const bare = [...files.keys()].filter((path) => /\.(?:so|pyd)$/.test(path)).filter((path) => {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    return !files.has(`${folder}${moduleOf(path)}.py`);
  });
  const modules = new Set(bare.map(moduleOf));
  if (modules.size === 0) return null;
  for (const [path, content] of files) {
    if (!path.endsWith(".py")) continue;
    const text = decoder.decode(content);
    if (![...modules].some((module) => text.includes(module))) continue;
    const lines = text.split("\n");
    for (const [at, line] of lines.entries()) {
      for (const module of modules) {
        if (isImported(module, line) && !isGuarded(lines, at)) return module;
      }
    }
  }
  return null;
}
