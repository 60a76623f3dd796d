/**
 * Which commit and folder an address means.
 *
 * @module
 */
import type { RepositoryAddress } from "./address.ts";
import { type CodeHost, findCommit, isOwnCommit, type PublicRepository } from "./code_host.ts";
import { commitOnNoBranch, noCommits, refMissing } from "./failures.ts";

/** What an address selects. */
export interface Selection {
  /** The ref as written; null for the default branch. */
  ref: string | null;
  /** Folder without slashes at its ends; empty for the root. */
  folder: string;
  /** 40 hexadecimal digits. */
  commit: string;
}

/** Whether git accepts `text` as the name of a ref (git check-ref-format). */
function isRefName(text: string): boolean {
  // deno-lint-ignore no-control-regex
  return !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\.$|^@$|^-/.test(text) &&
    text.split("/").every((part) => !part.startsWith(".") && !part.endsWith(".lock"));
}

/**
 * How to ask for `ref`. Code hosts also resolve names below `refs/`, and pull requests there hold
 * commits of forks, which anyone can write; behind `heads/` only branches are found.
 */
function query(ref: string): string {
  return /^(?:refs|pull|merge-requests|remotes|notes|stash)(?:\/|$)/.test(ref)
    ? `heads/${ref}`
    : ref;
}

function isAbbreviation(ref: string, commit: string): boolean {
  return /^[0-9a-f]{4,40}$/i.test(ref) && commit.startsWith(ref.toLowerCase());
}

/**
 * Resolves the part after `/tree/`: the longest beginning that is a ref, the rest is the folder.
 *
 * @throws {AppError} `repository_refused` when the repository is empty, no ref fits, or a commit
 * is not one of the repository's own.
 */
export async function resolveSelection(
  host: CodeHost,
  repository: PublicRepository,
  address: RepositoryAddress,
  signal?: AbortSignal,
): Promise<Selection> {
  const label = `${repository.owner}/${repository.name}`;
  if (address.tail === "") {
    const ref = `heads/${repository.defaultBranch}`;
    const commit = await findCommit(host, repository, ref, signal);
    if (commit !== null) return { ref: null, folder: "", commit };
    throw noCommits(label);
  }
  const segments = address.tail.split("/");
  for (let length = segments.length; length > 0; length--) {
    const ref = segments.slice(0, length).join("/");
    if (!isRefName(ref)) continue;
    const commit = await findCommit(host, repository, query(ref), signal);
    if (commit === null) continue;
    if (isAbbreviation(ref, commit) && !await isOwnCommit(host, repository, commit, signal)) {
      throw commitOnNoBranch(label, ref);
    }
    return { ref, folder: segments.slice(length).join("/"), commit };
  }
  throw refMissing(label, segments[0]!);
}
