/**
 * What a clone says of where it comes from, read from its files.
 *
 * @module
 */
import { basename, dirname, join, relative } from "node:path";
import { httpsAddress } from "../../../workers/analysis/facts/https_address.ts";
import { readIfThere } from "../../files.ts";

/** A clone around a folder. */
export interface Clone {
  /** Address of `origin`, as https; null without one. */
  url: string | null;
  /** Branch that is checked out; null for a commit. */
  branch: string | null;
  /** The folder below the clone's root, empty for the root. */
  folder: string;
  /** Commit that is checked out, where a file says so. */
  commit: string | null;
}

function originOf(config: string): string | null {
  const [, section] = /\[remote "origin"\]([^[]*)/.exec(config) ?? [];
  const [, address] = /^\s*url\s*=\s*(\S+)/m.exec(section ?? "") ?? [];
  return address === undefined ? null : httpsAddress(address);
}

/** The clone that `folder` (absolute) is in, or null. */
export async function findClone(folder: string): Promise<Clone | null> {
  for (let root = folder;; root = dirname(root)) {
    const config = await readIfThere(join(root, ".git", "config")).catch(() => null);
    if (config !== null) {
      const head = await readIfThere(join(root, ".git", "HEAD")) ?? "";
      const [, branch] = /^ref: refs\/heads\/(\S+)/.exec(head) ?? [];
      const named = branch === undefined
        ? head
        : await readIfThere(join(root, ".git", "refs", "heads", branch)) ?? "";
      const [commit] = /^[0-9a-f]{40}/.exec(named) ?? [];
      return {
        url: originOf(config),
        branch: branch ?? null,
        folder: relative(root, folder),
        commit: commit ?? null,
      };
    }
    if (dirname(root) === root) return null;
  }
}

/** A folder's name as a server's name. */
export function nameOfFolder(folder: string): string {
  return basename(folder).toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "")
    .slice(0, 64);
}
