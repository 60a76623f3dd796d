/**
 * Which files are source, in which grammar, and what part they play.
 *
 * @module
 */
import type { SourceFiles } from "./analyser.ts";
import type { Grammar } from "./syntax/parser.ts";

/** What a file is there for. Only `source` is expected to run. */
export type Role = "source" | "test" | "docs" | "vendored";

/** A file that is analysed, with its language and its role in the project. */
export interface Source {
  path: string;
  grammar: Grammar;
  role: Role;
  bytes: Uint8Array;
}

const GRAMMARS: Record<string, Grammar> = {
  py: "python",
  pyw: "python",
  pyi: "python",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  go: "go",
  rs: "rust",
};

const OF_LANGUAGE: Record<string, readonly Grammar[]> = {
  python: ["python"],
  javascript: ["javascript", "typescript", "tsx"],
  typescript: ["typescript", "tsx", "javascript"],
  go: ["go"],
  rust: ["rust"],
};

const VENDORED =
  /(^|\/)(node_modules|bower_components|vendor|third_party|site-packages|\.venv|venv|__pypackages__|target\/debug|target\/release)\/|\.min\.[cm]?js$|(_pb2(_grpc)?\.pyi?|\.pb\.go)$/;
const TEST =
  /(^|\/)(tests?|testing|__tests__|__mocks__|fixtures|testdata|spec)\/|(^|\/)(test_[^/]*|conftest|[^/]*_test)\.(py|go|rs)$|\.(test|spec)\.[cm]?[jt]sx?$/;
const DOCS = /(^|\/)(docs?|examples?|samples?|demos?|benchmarks?|notebooks?)\//;

/** The part that `path` plays, told by its name alone. */
export function roleOf(path: string): Role {
  if (VENDORED.test(path)) return "vendored";
  if (TEST.test(path)) return "test";
  return DOCS.test(path) ? "docs" : "source";
}

/** The grammar of a file name, or null when it is no source. */
export function grammarOf(path: string): Grammar | null {
  if (/\.d\.[cm]?ts$/.test(path)) return null;
  return GRAMMARS[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? null;
}

/** Files that a Python program could run although their name does not say so. */
function mayHoldPython(path: string): boolean {
  return /(^|\/)[^./]+$|\.(txt|text|inc|in|dat|cfg|conf|tmpl|tpl|template|code|script|pth|so|py\w*)$/i
    .test(path);
}

/** Whether a file declares how a Python project is started. */
export function isManifest(path: string): boolean {
  return /(^|\/)(pyproject\.toml|setup\.cfg|setup\.py)$/.test(path);
}

/** Whether an analyser of source needs the file. */
export function isWantedSource(path: string, lang: string, entrypoint: string): boolean {
  return grammarOf(path) !== null || path === entrypoint ||
    lang === "python" && (mayHoldPython(path) || isManifest(path));
}

/**
 * What lies beside the entrypoint, or below, is there to run: the folders above say nothing. In a
 * folder of examples they do.
 */
function roleOfSource(path: string, entrypoint: string): Role {
  if (path === entrypoint) return "source";
  const folder = entrypoint.slice(0, entrypoint.lastIndexOf("/") + 1);
  const isOwn = roleOf(/[^/]*\/$/.exec(folder)?.[0] ?? "") === "source";
  return roleOf(isOwn && path.startsWith(folder) ? path.slice(folder.length) : path);
}

/** The source files of a server in `lang`, in path order; a script entrypoint counts as one. */
export function sourcesOf(files: SourceFiles, lang: string, entrypoint: string): Source[] {
  const wanted = OF_LANGUAGE[lang] ?? [];
  const sources: Source[] = [];
  for (const [path, bytes] of files) {
    const grammar = grammarOf(path) ?? (path === entrypoint ? wanted[0] ?? null : null);
    if (grammar === null || !wanted.includes(grammar)) continue;
    sources.push({ path, grammar, role: roleOfSource(path, entrypoint), bytes });
  }
  return sources;
}

/** Bytes by which a file shows whether it is text. */
const SHOWN = 1024;
/** Larger files are no source. */
const MAX_SEARCHED = 5_000_000;
const latin1 = new TextDecoder("latin1");
/** Words of programs that make objects of bytes by running what these say. */
const OBJECTS =
  /pickle|joblib|\bdill\b|torch|numpy|\bnp\b|shelve|pandas|\bpd\b|marshal|keras|skops|klepto|sqlitedict|diskcache/;

/** Whether a program may make objects of bytes by running what these say. */
export function readsObjects(text: string): boolean {
  return OBJECTS.test(text);
}

/** Whether any source of a Python repository may do so. */
export function anyReadsObjects(files: SourceFiles): boolean {
  for (const [path, bytes] of files) {
    if (grammarOf(path) !== "python" && !mayHoldPython(path)) continue;
    if (bytes.length < MAX_SEARCHED && readsObjects(latin1.decode(bytes))) return true;
  }
  return false;
}

/** Whether a Python server could run what is in a file as a template or as data: whatever its name is. */
export function mayBeEvaluated(content: Uint8Array, makesObjects: boolean): boolean {
  return makesObjects || !content.subarray(0, SHOWN).includes(0);
}
