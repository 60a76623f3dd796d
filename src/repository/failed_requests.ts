/**
 * What a failed request to the code host means: a repository that cannot be used is the caller's to
 * change (400), everything else passes with time (503).
 *
 * @module
 */
import { AppError } from "../errors.ts";
import { codeHostUnavailable } from "./failures.ts";
import { DEFAULT_RETRY_AFTER_SECONDS, MAX_RETRY_AFTER_SECONDS } from "./fetch_limits.ts";
import { RedirectRefused } from "./guarded_fetch.ts";

/** The part of Octokit's error that is used. */
export interface HttpFailure {
  status: number;
  headers: Record<string, string | number | undefined>;
  message: string;
}

/** The answer inside an error of Octokit's; null when there was none (network, timeout). */
export function httpFailureOf(error: unknown): HttpFailure | null {
  if (!(error instanceof Error) || !("status" in error) || !("response" in error)) return null;
  const response = error.response as { headers?: HttpFailure["headers"] } | undefined;
  if (response === undefined || typeof error.status !== "number") return null;
  return { status: error.status, headers: response.headers ?? {}, message: error.message };
}

/** Seconds to wait, when the answer is about a rate limit; null otherwise. */
export function limitedFor(failure: HttpFailure, now: Date): number | null {
  if (failure.status !== 403 && failure.status !== 429) return null;
  const { headers } = failure;
  const after = Number(headers["retry-after"]);
  const exhausted = String(headers["x-ratelimit-remaining"] ?? "") === "0";
  if (!exhausted && !Number.isFinite(after) && failure.status !== 429) {
    if (!/\brate limit/i.test(failure.message)) return null;
  }
  const reset = Number(headers["x-ratelimit-reset"]) - now.getTime() / 1000;
  const wait = Number.isFinite(after)
    ? after
    : exhausted && Number.isFinite(reset)
    ? reset
    : DEFAULT_RETRY_AFTER_SECONDS;
  return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(wait)));
}

/**
 * What a failed request means. Statuses that say something about the repository (404…) are the
 * caller's to handle before.
 */
export function codeHostFailure(error: unknown, now: Date): AppError {
  if (error instanceof AppError) return error;
  const failure = httpFailureOf(error);
  if (failure === null) {
    const refused = error instanceof Error && error.cause instanceof RedirectRefused;
    const problem = refused ? (error.cause as Error).message : "The code host could not be reached";
    return codeHostUnavailable(problem, { cause: error });
  }
  const wait = limitedFor(failure, now);
  if (wait !== null) {
    return codeHostUnavailable("The code host is rate-limiting Berth", {
      cause: error,
      retryAfter: wait,
    });
  }
  return codeHostUnavailable(`The code host returned status ${failure.status}`, {
    cause: error,
  });
}
