/**
 * A folder on this machine, read as a registry would read the repository.
 *
 * @module
 */
import { join } from "node:path";
import type { RepositoryFiles } from "../../repository/archive.ts";
import { resolveLinks } from "../../repository/links.ts";
import { MAX_ENTRIES, MAX_INFLATED_BYTES } from "../../repository/fetch_limits.ts";
import { CliError, EXIT } from "../failure.ts";

/** What no repository has, where git cannot be asked. */
const SKIPPED = new Set([
  ".git",
  "node_modules",
  ".venv",
  "venv",
  "__pycache__",
  ".mypy_cache",
  ".ruff_cache",
  ".pytest_cache",
  ".tox",
]);

/** Files that git has or would take; null where there is no git, or no repository. */
async function askGit(folder: string): Promise<string[] | null> {
  try {
    const { success, stdout } = await new Deno.Command("git", {
      args: ["ls-files", "--cached", "--others", "--exclude-standard", "-z"],
      cwd: folder,
      stdin: "null",
      stderr: "null",
      stdout: "piped",
      // A repository's own configuration must not start programs.
      env: { GIT_CONFIG_NOSYSTEM: "1", GIT_OPTIONAL_LOCKS: "0" },
    }).output();
    if (!success) return null;
    return new TextDecoder().decode(stdout).split("\0").filter((path) => path !== "");
  } catch {
    return null;
  }
}

async function walk(folder: string, below = ""): Promise<string[]> {
  const paths: string[] = [];
  for await (const entry of Deno.readDir(join(folder, below))) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory && !SKIPPED.has(entry.name)) paths.push(...await walk(folder, path));
    else if (entry.isFile || entry.isSymlink) paths.push(path);
    if (paths.length > MAX_ENTRIES) return paths;
  }
  return paths;
}

/**
 * The files of `folder` by path, in order. A link counts as the file or folder among them that it
 * leads to, as in a repository; others are left out: they may lead anywhere.
 */
export async function readFolder(folder: string): Promise<RepositoryFiles> {
  const paths = [...new Set(await askGit(folder) ?? await walk(folder))].sort();
  if (paths.length > MAX_ENTRIES) {
    throw new CliError(EXIT.failure, `${folder} has more than ${MAX_ENTRIES} files`);
  }
  const files = new Map<string, Uint8Array>();
  const links = new Map<string, string>();
  let bytes = 0;
  for (const path of paths) {
    const place = join(folder, path);
    // Listed by git, but removed meanwhile.
    const info = await Deno.lstat(place).catch(() => null);
    if (info?.isSymlink) links.set(path, await Deno.readLink(place));
    if (info === null || !info.isFile) continue;
    bytes += info.size;
    if (bytes > MAX_INFLATED_BYTES) {
      throw new CliError(EXIT.failure, `${folder} has more than ${MAX_INFLATED_BYTES} bytes`);
    }
    files.set(path, await Deno.readFile(place));
  }
  const sizes = new Map([...files].map(([path, { length }]) => [path, length]));
  for (const { path, of } of resolveLinks(sizes, links).aliases) files.set(path, files.get(of)!);
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

export async function isFolder(path: string): Promise<boolean> {
  return (await Deno.stat(path).catch(() => null))?.isDirectory === true;
}
