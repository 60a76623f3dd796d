/**
 * A repository's source, parsed, and the part of it that the entrypoint reaches.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { AnalyserInput } from "./analyser.ts";
import { eachFile } from "./files/each_file.ts";
import type { ReadFile } from "./files/tasks.ts";
import { javascriptReach } from "./javascript/reach.ts";
import { emptyNames, namesIn, type PythonNames } from "./python/names.ts";
import { pythonReach } from "./python/reach.ts";
import type { RuffPart } from "./ruff/python_ruff.ts";
import { type Source, sourcesOf } from "./sources.ts";
import { type SourceTree, sourceTree } from "./syntax/source_tree.ts";

/** Parsed source. */
export interface Project {
  /** In path order. */
  trees: SourceTree[];
  /** Files that were not parsed because the repository has too many. */
  beyond: Source[];
  /** Files that the entrypoint reaches; null when that is unclear and all may run. */
  reached: ReadonlySet<string> | null;
  /** Files that are certain to be reached, whether or not more may be. */
  certain: ReadonlySet<string>;
  /** Names of each Python module, parsed or not. */
  python: ReadonlyMap<string, PythonNames>;
  /** What ruff found in stage 1 for stage 5, by file. */
  security: Map<string, RuffPart>;
  /** Whether a file may run: it is reached, or reach is unclear and its name does not say test. */
  mayRun(tree: Pick<SourceTree, "path" | "role">): boolean;
}

/**
 * Most syntax nodes of a whole repository that are held at once: 30 MB of Python. Other languages
 * have linters beside them that need memory too.
 */
const MAX_TOTAL_NODES = { python: 6_000_000, other: 2_000_000 };

// What is expected to run is parsed first, so that a heap of test data cannot use up the bound.
const FIRST: Record<Source["role"], number> = { source: 0, docs: 1, test: 2, vendored: 3 };

/** What each source file was read as, or why it cannot be analysed. */
async function readAll(input: AnalyserInput): Promise<{
  read: ReadFile[];
  failed: Map<Source, string>;
  beyond: Source[];
}> {
  const sources = sourcesOf(input.files, input.lang, input.entrypoint)
    .filter(({ role }) => role !== "vendored")
    .sort((a, b) => FIRST[a.role] - FIRST[b.role]);
  const read: ReadFile[] = [];
  const failed = new Map<Source, string>();
  const most = input.lang === "python" ? MAX_TOTAL_NODES.python : MAX_TOTAL_NODES.other;
  let nodes = 0;
  let looked = 0;
  const files = sources.map((source) => ({
    path: source.path,
    size: source.bytes.length,
    given: source,
  }));
  for await (const { file, result } of eachFile("read", files, input)) {
    looked++;
    if (typeof result === "string") failed.set(file.given, result);
    else {
      read.push(result);
      nodes += result.parsed.flat.depths.length;
      if (nodes > most) break;
    }
  }
  const beyond = sources.slice(looked);
  for (const source of beyond) {
    failed.set(source, "the repository has more source than is analysed");
  }
  return {
    read: read.sort((a, b) => a.parsed.path < b.parsed.path ? -1 : 1),
    failed,
    beyond,
  };
}

interface Loaded {
  project: Project;
  failed: ReadonlyMap<Source, string>;
}

async function load(input: AnalyserInput): Promise<Loaded> {
  const { read, failed, beyond } = await readAll(input);
  const trees: SourceTree[] = [];
  const python = new Map<string, PythonNames>();
  for (const { parsed, names } of read) {
    const tree = await sourceTree(parsed);
    trees.push(tree);
    if (names !== null) python.set(tree.path, namesIn(tree, names));
  }
  let reach = { reached: new Set<string>(), unclear: true };
  if (input.lang === "python") {
    // What cannot be read can still be reached.
    for (const { path } of failed.keys()) python.set(path, emptyNames(path));
    reach = pythonReach(python, input.entrypoint);
  } else if (input.lang === "javascript" || input.lang === "typescript") {
    reach = javascriptReach(trees, [...failed.keys()].map(({ path }) => path), input.entrypoint);
  }
  const reached = reach.unclear ? null : reach.reached;
  const project: Project = {
    trees,
    beyond,
    reached,
    certain: reach.reached,
    python,
    security: new Map(),
    mayRun: ({ path, role }) => reach.reached.has(path) || (reached === null && role === "source"),
  };
  return { project, failed };
}

/** The project of the last request: the stages of a scan ask for the same one after the other. */
let last: { key: string; loaded: Loaded } | undefined;

/** Digest of all that a project depends on. */
function keyOf({ lang, entrypoint, files }: AnalyserInput): string {
  const hash = createHash("sha256");
  const sources = sourcesOf(files, lang, entrypoint);
  const sizes = sources.map(({ path, bytes }) => [path, bytes.length]);
  hash.update(JSON.stringify([lang, entrypoint, sizes]));
  for (const { bytes } of sources) hash.update(bytes);
  return hash.digest("base64");
}

/**
 * Parses the source of the server's language; vendored code is left to the dependency stage. A file
 * that cannot be parsed is refused, which fails the scan, when it may run.
 */
export async function loadProject(input: AnalyserInput): Promise<Project> {
  const key = keyOf(input);
  if (last?.key !== key) {
    // The one before must not take up memory beside the new one.
    last = undefined;
    last = { key, loaded: await load(input) };
  }
  const { project, failed } = last.loaded;
  for (const [source, reason] of failed) {
    if (project.mayRun(source)) input.refuse(source.path, reason);
  }
  return project;
}
