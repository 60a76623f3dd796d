/**
 * Which commit and folder an address means.
 *
 * @module
 */
import type { RepositoryAddress } from "./address.ts";
import type { CodeHost, FoundRepository, Ref } from "./hosts/code_host.ts";
import { commitOnNoBranch, longCommitIds, noCommits, refMissing } from "./failures.ts";

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

function isAbbreviation(ref: string, commit: string): boolean {
  return /^[0-9a-f]{4,40}$/i.test(ref) && commit.startsWith(ref.toLowerCase());
}

/** Digits of a commit's id in a repository of SHA-1. */
const DIGITS = 40;

/**
 * Resolves the part after `/tree/`: the longest beginning that is a ref, the rest is the folder.
 *
 * @throws {AppError} `repository_refused` when the repository is empty, no ref fits, or a commit
 * is not one of the repository's own.
 */
export async function resolveSelection(
  host: CodeHost,
  repository: FoundRepository,
  address: RepositoryAddress,
  signal?: AbortSignal,
): Promise<Selection> {
  const label = `${repository.owner}/${repository.name}`;
  async function find(ref: Ref): Promise<string | null> {
    const commit = await host.findCommit(repository, ref, signal);
    if (commit !== null && commit.length > DIGITS) throw longCommitIds(label);
    return commit;
  }
  if (repository.defaultBranch === null) throw noCommits(label);
  if (address.tail === "") {
    const commit = await find({ name: repository.defaultBranch, kind: "branch" });
    if (commit !== null) return { ref: null, folder: "", commit };
    throw noCommits(label);
  }
  const segments = address.tail.split("/");
  for (let length = segments.length; length > 0; length--) {
    const ref = segments.slice(0, length).join("/");
    if (!isRefName(ref)) continue;
    const commit = await find({ name: ref, kind: address.refKind });
    if (commit === null) continue;
    if (isAbbreviation(ref, commit) && !await host.isOwnCommit(repository, commit, signal)) {
      throw commitOnNoBranch(label, ref);
    }
    return { ref, folder: segments.slice(length).join("/"), commit };
  }
  throw refMissing(label, segments[0]!);
}
