/**
 * A repository's source, parsed, and the part of it that the entrypoint reaches.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { AnalyserInput } from "./analyser.ts";
import { javascriptReach } from "./javascript/reach.ts";
import { emptyNames, type PythonNames, readNames } from "./python/names.ts";
import { pythonReach } from "./python/reach.ts";
import { type Source, sourcesOf } from "./sources.ts";
import { parseSource, type SourceTree } from "./syntax/source_tree.ts";

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
  /** Whether a file may run: it is reached, or reach is unclear and its name does not say test. */
  mayRun(tree: Pick<SourceTree, "path" | "role">): boolean;
}

/**
 * Most syntax nodes of a whole repository that are held at once: 20 MB of Python. Other languages
 * have linters beside them that need memory too.
 */
const MAX_TOTAL_NODES = { python: 4_000_000, other: 2_000_000 };

// What is expected to run is parsed first, so that a heap of test data cannot use up the bound.
const FIRST: Record<Source["role"], number> = { source: 0, docs: 1, test: 2, vendored: 3 };

async function parseAll(input: AnalyserInput): Promise<{
  trees: SourceTree[];
  failed: Map<Source, string>;
  beyond: Source[];
}> {
  const sources = sourcesOf(input.files, input.lang, input.entrypoint)
    .filter(({ role }) => role !== "vendored")
    .sort((a, b) => FIRST[a.role] - FIRST[b.role]);
  const trees: SourceTree[] = [];
  const failed = new Map<Source, string>();
  const beyond: Source[] = [];
  const most = input.lang === "python" ? MAX_TOTAL_NODES.python : MAX_TOTAL_NODES.other;
  let nodes = 0;
  for (const source of sources) {
    input.begin(source.path);
    if (nodes > most) beyond.push(source);
    const tree = nodes > most
      ? "the repository has more source than is analysed"
      : await parseSource(source);
    if (typeof tree === "string") failed.set(source, tree);
    else {
      trees.push(tree);
      nodes += tree.nodes;
    }
  }
  return { trees: trees.sort((a, b) => a.path < b.path ? -1 : 1), failed, beyond };
}

interface Loaded {
  project: Project;
  failed: ReadonlyMap<Source, string>;
}

async function load(input: AnalyserInput): Promise<Loaded> {
  const { trees, failed, beyond } = await parseAll(input);
  const python = new Map<string, PythonNames>();
  let reach = { reached: new Set<string>(), unclear: true };
  if (input.lang === "python") {
    for (const tree of trees) python.set(tree.path, readNames(tree));
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
