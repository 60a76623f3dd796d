/**
 * Every manifest and lock file of a repository.
 *
 * @module
 */
import type { SourceFiles } from "../analyser.ts";
import { normalName } from "../advisories/ecosystem.ts";
import { MAX_MANIFEST_BYTES, MAX_REQUIREMENTS, MAX_TOTAL_BYTES } from "./bounds.ts";
import { cargoLock } from "./cargo_lock.ts";
import { condaEnvironment } from "./conda.ts";
import { goMod } from "./go_mod.ts";
import { packageJson, packageLock } from "./npm.ts";
import { bunLock, pnpmLock, yarnLock } from "./npm_locks.ts";
import { pipfile, pipfileLock, pythonTomlLocks } from "./python_locks.ts";
import { type ManifestReader, ManifestUnreadable, type Requirement } from "./requirement.ts";
import { requirementsLock, requirementsTxt } from "./requirements_txt.ts";
import { hasScriptMetadata, isScript, readScriptMetadata } from "./script_metadata.ts";
import { setupCfg } from "./setup_cfg.ts";
import { decodeManifest } from "./text.ts";
import { pyprojectToml } from "./toml_python.ts";

const READERS: readonly ManifestReader[] = [
  requirementsTxt,
  requirementsLock,
  pyprojectToml,
  setupCfg,
  pythonTomlLocks,
  pipfileLock,
  pipfile,
  packageLock,
  packageJson,
  pnpmLock,
  yarnLock,
  bunLock,
  goMod,
  cargoLock,
  condaEnvironment,
];

/** Installed packages, whose manifests say nothing about what the repository asks for. */
const INSTALLED = /(^|\/)(node_modules|site-packages|\.venv|venv|vendor)\//;

/** Whether a file belongs to an installed package. */
export function isInstalled(path: string): boolean {
  return INSTALLED.test(path);
}

/** Longest reason, in characters: some name what they met. */
const MAX_PROBLEM = 500;

/** Packages that a repository is and that are listed, and how long their names may be. */
const MAX_OWN = 1_000;
const MAX_NAME = 300;

/** Manifests that cannot be read and that are listed. */
const MAX_FAULTS = 1_000;

/** Characters that all requirements together may have. */
const MAX_CHARACTERS = 8_000_000;

/** About how long a requirement is, in characters. */
function lengthOf({ name, allowed, text, line, file }: Requirement): number {
  const find = typeof line === "number" ? 0 : line.find.length;
  const versions = allowed.kind === "exact"
    ? allowed.version.length
    : allowed.kind === "range"
    ? allowed.ranges.join().length
    : allowed.from.length;
  return name.length + text.length + file.length + find + versions;
}

/** A manifest that could not be read. */
export interface Unreadable {
  file: string;
  line: number | null;
  problem: string;
  /** It is listed, but a scan can do without it, wherever it is. */
  aside?: boolean;
}

/** How the work on files is watched. */
export interface Watching {
  /** Says which file is looked at next. */
  begin(file: string): void;
  /** Says that a file could not be read although it counts: the scan then fails. */
  refuse(file: string, reason: string): void;
}

/** The dependencies of a repository, from all of its manifests together. */
export interface Manifests {
  requirements: Requirement[];
  /** Files that were read, sorted. */
  files: string[];
  unreadable: Unreadable[];
  /** Paths that these files include and that were not among them, sorted. */
  wanted: string[];
  /** Names of the packages that the repository itself is, in normal form. */
  own: string[];
}

/** The repository is beyond a bound, whatever is in the file. */
class TooMuch extends ManifestUnreadable {}

function unreadable(file: string, error: unknown): Unreadable {
  if (error instanceof ManifestUnreadable) {
    return { file, line: error.line, problem: error.message.slice(0, MAX_PROBLEM) };
  }
  // A reader that throws anything else met content that it was not made for.
  return { file, line: null, problem: "its content cannot be parsed" };
}

/** Reads the manifests and lock files among `files`, and the metadata of Python scripts. */
export function readManifests(
  files: SourceFiles,
  entrypoint: string,
  { begin, refuse }: Watching,
): Manifests {
  const read = new Set<string>();
  const faults: Unreadable[] = [];
  const requirements: Requirement[] = [];
  const included = new Set<string>();
  const wanted = new Set<string>();
  const own = new Set<string>();
  let bytes = 0;
  let characters = 0;

  function textOf(path: string): string | null {
    const content = files.get(path);
    if (content === undefined) {
      wanted.add(path);
      return null;
    }
    if (content.length > MAX_MANIFEST_BYTES) throw new ManifestUnreadable("it is too large");
    bytes += content.length;
    if (bytes > MAX_TOTAL_BYTES) {
      throw new TooMuch("the repository has too many manifests");
    }
    return decodeManifest(content);
  }
  function attempt(file: string, body: () => Requirement[], aside = false): void {
    begin(file);
    try {
      const found = body();
      if (requirements.length + found.length > MAX_REQUIREMENTS) {
        throw new ManifestUnreadable(`more than ${MAX_REQUIREMENTS} requirements`);
      }
      characters += found.reduce((sum, each) => sum + lengthOf(each), 0);
      if (characters > MAX_CHARACTERS) throw new TooMuch("the requirements are too long in total");
      requirements.push(...found);
    } catch (error) {
      if (error instanceof TooMuch) refuse(file, error.message);
      if (faults.length < MAX_FAULTS) {
        faults.push({ ...unreadable(file, error), ...(aside ? { aside } : {}) });
      } else refuse(file, "further unreadable manifests are not listed");
    }
    read.add(file);
  }

  for (const file of files.keys()) {
    const name = file.slice(file.lastIndexOf("/") + 1);
    const reader = INSTALLED.test(file) ? undefined : READERS.find((r) => r.matches(name, file));
    if (reader === undefined) continue;
    attempt(file, () =>
      reader.read(textOf(file)!, {
        file,
        textOf,
        alsoRead: (path) => void included.add(path),
        declares: (given) => void own.add(normalName("PyPI", given.slice(0, MAX_NAME))),
      }));
  }
  for (const [file, content] of files) {
    if (!isScript(file, entrypoint) || INSTALLED.test(file)) continue;
    if (content.length > MAX_MANIFEST_BYTES || !hasScriptMetadata(content)) continue;
    // Another script's block may be no more than an example in a text.
    attempt(file, () => readScriptMetadata(textOf(file)!, file), file !== entrypoint);
  }
  for (const path of included) read.add(path);
  return {
    requirements: dedupe(requirements),
    files: [...read].sort(),
    unreadable: faults,
    wanted: [...wanted].sort(),
    own: [...own].slice(0, MAX_OWN),
  };
}

/** The same line may be read by itself and through an including file. */
function dedupe(requirements: readonly Requirement[]): Requirement[] {
  const seen = new Set<string>();
  return requirements.filter(({ file, line, ecosystem, name, allowed }) => {
    const key = JSON.stringify([file, line, ecosystem, name, allowed]);
    return !seen.has(key) && seen.add(key);
  });
}
