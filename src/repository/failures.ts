/**
 * The failures of repositories.
 *
 * @module
 */
import { AppError } from "../errors.ts";
import { DEFAULT_RETRY_AFTER_SECONDS } from "./fetch_limits.ts";

/** @param problem A clause about the address, such as "it must start with https://". */
export function invalidAddress(problem: string): AppError {
  return new AppError("invalid_request", `Invalid repository URL: ${problem}`, {
    errors: [{ path: "repository.url", message: problem }],
  });
}

/**
 * The code host cannot serve us now.
 *
 * @param problem What it did, as a sentence.
 * @param options `retryAfter` in seconds.
 */
export function codeHostUnavailable(
  problem: string,
  options: { cause?: unknown; retryAfter?: number } = {},
): AppError {
  const { cause, retryAfter = DEFAULT_RETRY_AFTER_SECONDS } = options;
  return new AppError("unavailable", `${problem}. Try again later`, { retryAfter, cause });
}

/**
 * One text for missing and private, so that the service does not tell which names exist.
 *
 * @param repository As `owner/name`.
 */
export function repositoryMissing(host: string, repository: string): AppError {
  return new AppError(
    "repository_refused",
    `Repository ${repository} was not found on ${host}: it does not exist or is private`,
  );
}

/**
 * Missing, also for the token of who publishes it.
 *
 * @param repository As `owner/name`.
 */
export function repositoryUnreadable(host: string, repository: string): AppError {
  return new AppError(
    "repository_refused",
    `Repository ${repository} was not found on ${host}: it does not exist, or your token for ` +
      `${host} may not read it`,
  );
}

/**
 * Missing, or private and without the line that names who publishes it: one text for both.
 *
 * @param repository As `owner/name`.
 */
export function repositoryUnnamed(host: string, repository: string): AppError {
  return new AppError(
    "repository_refused",
    `Repository ${repository} was not found on ${host}: it does not exist, or is private and does ` +
      "not name your account. Your profile, at Code hosts, says how it does",
  );
}

/** The host does not believe that Berth is the App, or takes its token no more. */
export function appRefused(host: string, cause: unknown): AppError {
  return codeHostUnavailable(`${host} does not accept this registry's GitHub App`, { cause });
}

/** The token of who publishes it was revoked, has run out, or never was one. */
export function tokenRefused(host: string): AppError {
  return new AppError(
    "repository_refused",
    `${host} refuses your token: it was revoked or has expired. Give a new one in your profile, ` +
      "at Code hosts",
  );
}

/** No repository comes from there, so no token goes there. */
export function hostNotServed(host: string): AppError {
  return new AppError("not_found", `No repositories are fetched from "${host.slice(0, 100)}" here`);
}

export function noSuchToken(host: string): AppError {
  return new AppError("not_found", `No such token is kept for "${host.slice(0, 100)}"`);
}

export function tooManyTokens(limit: number): AppError {
  return new AppError("conflict", `You have the maximum of ${limit} tokens for code hosts`);
}

/** @param repository As `owner/name`. */
export function longCommitIds(repository: string): AppError {
  return new AppError(
    "repository_refused",
    `The repository ${repository} has SHA-256 commit ids, which Berth does not support`,
  );
}

/** @param repository As `owner/name`. */
export function repositoryEmpty(repository: string): AppError {
  return new AppError("repository_refused", `The repository ${repository} has no files`);
}

/** @param repository As `owner/name`. */
export function noCommits(repository: string): AppError {
  return new AppError("repository_refused", `The repository ${repository} has no commits`);
}

/** @param repository As `owner/name`. */
export function folderMissing(repository: string, folder: string): AppError {
  return new AppError(
    "repository_refused",
    `The repository ${repository} has no folder "${folder}"`,
  );
}

/** @param repository As `owner/name`. */
export function refMissing(repository: string, ref: string): AppError {
  return new AppError("repository_refused", `Ref "${ref}" was not found in ${repository}`);
}

/** The commit may be a fork's. @param repository As `owner/name`. */
export function commitOnNoBranch(repository: string, commit: string): AppError {
  return new AppError(
    "repository_refused",
    `The commit ${commit} is on no branch of ${repository}. Use a branch or a tag`,
  );
}

/** @param where The repository, and the folder if one is selected. */
export function entrypointMissing(entrypoint: string, where: string): AppError {
  return new AppError(
    "repository_refused",
    `The entrypoint "${entrypoint}" was not found in ${where}`,
  );
}

export function entrypointInLfs(entrypoint: string): AppError {
  return new AppError(
    "repository_refused",
    `The entrypoint "${entrypoint}" is a Git LFS pointer. Commit the file itself`,
  );
}

/** @param problem A clause about the archive, such as "it is empty". */
export function archiveRefused(problem: string, cause?: unknown): AppError {
  return new AppError(
    "repository_refused",
    `The repository's archive cannot be used: ${problem}`,
    { cause },
  );
}

/** @param cause Logged: what the store answered, or that none is configured. */
export function archiveUnreachable(cause: unknown): AppError {
  return new AppError("unavailable", "The archive cannot be read at the moment. Try again later", {
    retryAfter: 30,
    cause,
  });
}

/** Too many archives wait to be unpacked. */
export function noRoom(): AppError {
  return new AppError("unavailable", "Too many files are being opened. Try again in a moment", {
    retryAfter: 5,
  });
}
