/**
 * How large folders, modules and functions are, and which are larger than the project allows.
 *
 * @module
 */
import {
  createSourceFile,
  forEachChild,
  isFunctionLike,
  type Node,
  ScriptTarget,
} from "typescript";
import { textOf } from "./imports.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** The largest that is allowed: files in a folder, lines of a module and of a function. */
export const MOST = { files: 25, lines: 300, functionLines: 80 };

/** Paths of all files in `folder` and below, from the project's root. */
export function* files(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(ROOT + folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory && entry.name !== "__pycache__") yield* files(path);
    else if (entry.isFile) yield path;
  }
}

/** Largest first, each as "size name". */
function sorted(found: [size: number, name: string][]): string[] {
  return found.toSorted((a, b) => b[0] - a[0]).map((each) => each.join(" "));
}

/** Folders whose files are a sequence, of which a reader takes in the last ones only. */
const SEQUENCES: ReadonlySet<string> = new Set(["src/database/migrations"]);

/** The folders that hold too many of `paths`, as "files folder". */
export function wideFolders(paths: readonly string[]): string[] {
  const folders = Map.groupBy(paths, (path) => path.slice(0, path.lastIndexOf("/")));
  return sorted(
    [...folders].map(([folder, inside]): [number, string] => [inside.length, folder])
      .filter(([count, folder]) => count > MOST.files && !SEQUENCES.has(folder)),
  );
}

/** The modules of `paths` that are too long, as "lines path". */
export function longModules(paths: readonly string[]): string[] {
  return sorted(
    code(paths).map((path): [number, string] => [lines(textOf(path)), path])
      .filter(([count]) => count > MOST.lines),
  );
}

/** The functions in `paths` that are too long, as "lines path:line". */
export function longFunctions(paths: readonly string[]): string[] {
  return sorted(
    code(paths).flatMap((path) =>
      functionLines(path, textOf(path))
        .filter(([, count]) => count > MOST.functionLines)
        .map(([line, count]): [number, string] => [count, `${path}:${line}`])
    ),
  );
}

function code(paths: readonly string[]): string[] {
  return paths.filter((path) => /\.(tsx?|py)$/.test(path));
}

function lines(text: string): number {
  return text.trimEnd().split("\n").length;
}

/** The functions of a module: the line where each begins, and how many it has. */
export function functionLines(path: string, text: string): [line: number, count: number][] {
  return path.endsWith(".py") ? inPython(text) : inTypeScript(path, text);
}

function inTypeScript(path: string, text: string): [number, number][] {
  const file = createSourceFile(path, text, ScriptTarget.Latest, true);
  const found: [number, number][] = [];
  function visit(node: Node): void {
    if (isFunctionLike(node)) {
      const first = file.getLineAndCharacterOfPosition(node.getStart()).line;
      found.push([first + 1, file.getLineAndCharacterOfPosition(node.end).line - first + 1]);
    }
    forEachChild(node, visit);
  }
  visit(file);
  return found;
}

function inPython(text: string): [number, number][] {
  const all = text.split("\n");
  return all.flatMap((line, first): [number, number][] => {
    const indent = line.match(/^( *)(?:async )?def /)?.[1];
    if (indent === undefined) return [];
    const body = all.slice(first + 1);
    // A signature that is spread over lines closes at the indent of its `def`.
    const end = body.findIndex((next) =>
      /\S/.test(next) && !next.startsWith(`${indent} `) && !next.startsWith(`${indent})`)
    );
    return [[first + 1, lines((end < 0 ? body : body.slice(0, end)).join("\n")) + 1]];
  });
}
