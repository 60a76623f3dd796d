/**
 * Every manifest and lock file of a repository.
 *
 * @module
 */
import type { RepositoryFiles } from "../../repository/archive.ts";
import { cargoLock } from "./cargo_lock.ts";
import { condaEnvironment } from "./conda.ts";
import { goMod } from "./go_mod.ts";
import { packageJson, packageLock } from "./npm.ts";
import { bunLock, pnpmLock, yarnLock } from "./npm_locks.ts";
import { pipfile, pipfileLock, pythonTomlLocks } from "./python_locks.ts";
import { type ManifestReader, ManifestUnreadable, type Requirement } from "./requirement.ts";
import { requirementsTxt } from "./requirements_txt.ts";
import { hasScriptMetadata, readScriptMetadata } from "./script_metadata.ts";
import { setupCfg } from "./setup_cfg.ts";
import { decodeManifest } from "./text.ts";
import { pyprojectToml } from "./toml_python.ts";

const READERS: readonly ManifestReader[] = [
  requirementsTxt,
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

/** Largest manifest or lock file that is read, in bytes. */
export const MAX_MANIFEST_BYTES = 5_000_000;
/** Requirements of one repository. */
export const MAX_REQUIREMENTS = 20_000;

/** Installed packages, whose manifests say nothing about what the repository asks for. */
const INSTALLED = /(^|\/)(node_modules|site-packages|\.venv|venv|vendor)\//;

/** A manifest that could not be read. */
export interface Unreadable {
  file: string;
  line: number | null;
  problem: string;
  /** It is listed, but a scan can do without it, wherever it is. */
  aside?: boolean;
}

/** What all manifests say. */
export interface Manifests {
  requirements: Requirement[];
  /** Files that were read, sorted. */
  files: string[];
  unreadable: Unreadable[];
}

function unreadable(file: string, error: unknown): Unreadable {
  if (error instanceof ManifestUnreadable) {
    return { file, line: error.line, problem: error.message };
  }
  // A reader that throws anything else met content that it was not made for.
  return { file, line: null, problem: "its content is not understood" };
}

/** Reads the manifests and lock files among `files`, and the metadata of Python scripts. */
export function readManifests(files: RepositoryFiles, entrypoint: string): Manifests {
  const read = new Set<string>();
  const faults: Unreadable[] = [];
  const requirements: Requirement[] = [];
  const included = new Set<string>();

  function textOf(path: string): string | null {
    const content = files.get(path);
    if (content === undefined) return null;
    if (content.length > MAX_MANIFEST_BYTES) throw new ManifestUnreadable("it is too large");
    return decodeManifest(content);
  }
  function attempt(file: string, body: () => Requirement[], aside = false): void {
    try {
      const found = body();
      if (requirements.length + found.length > MAX_REQUIREMENTS) {
        throw new ManifestUnreadable(`more than ${MAX_REQUIREMENTS} requirements`);
      }
      requirements.push(...found);
    } catch (error) {
      faults.push({ ...unreadable(file, error), ...(aside ? { aside } : {}) });
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
      }));
  }
  for (const [file, content] of files) {
    if (!/\.pyw?$/i.test(file) && file !== entrypoint || INSTALLED.test(file)) continue;
    if (content.length > MAX_MANIFEST_BYTES || !hasScriptMetadata(content)) continue;
    // Another script's block may be no more than an example in a text.
    attempt(file, () => readScriptMetadata(decodeManifest(content), file), file !== entrypoint);
  }
  for (const path of included) read.add(path);
  return { requirements: dedupe(requirements), files: [...read].sort(), unreadable: faults };
}

/** The same line may be read by itself and through an including file. */
function dedupe(requirements: readonly Requirement[]): Requirement[] {
  const seen = new Set<string>();
  return requirements.filter(({ file, line, ecosystem, name, allowed }) => {
    const key = JSON.stringify([file, line, ecosystem, name, allowed]);
    return !seen.has(key) && seen.add(key);
  });
}
