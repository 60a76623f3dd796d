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

/** The part of a client's error that is used. */
export interface HttpFailure {
  status: number;
  headers: Record<string, string | number | undefined>;
  message: string;
}

/** The answer inside an error of a client; null when there was none (network, timeout). */
export function httpFailureOf(error: unknown): HttpFailure | null {
  if (!(error instanceof Error) || !("status" in error) || !("response" in error)) return null;
  const response = error.response as { headers?: HttpFailure["headers"] } | undefined;
  if (response === undefined || typeof error.status !== "number") return null;
  return { status: error.status, headers: response.headers ?? {}, message: error.message };
}

/** Seconds of a wait that is given as such; NaN without one. Dates are understood too. */
function retryAfter(value: string | number | undefined, now: Date): number {
  if (value === undefined || value === "") return NaN;
  const seconds = Number(value);
  return Number.isFinite(seconds) ? seconds : (Date.parse(String(value)) - now.getTime()) / 1000;
}

/** Moments are given in seconds since 1970, or from now as the standard has it. */
const EPOCH_FROM = 1_000_000_000;

function resetIn(value: string | number | undefined, now: Date): number {
  const reset = Number(value);
  return reset >= EPOCH_FROM ? reset - now.getTime() / 1000 : reset;
}

/** Seconds to wait, when the answer is about a rate limit; null otherwise. */
export function limitedFor(failure: HttpFailure, now: Date): number | null {
  if (failure.status !== 403 && failure.status !== 429) return null;
  const { headers } = failure;
  const after = retryAfter(headers["retry-after"], now);
  const remaining = headers["x-ratelimit-remaining"] ?? headers["ratelimit-remaining"];
  const exhausted = String(remaining ?? "") === "0";
  if (!exhausted && !Number.isFinite(after) && failure.status !== 429) {
    if (!/\brate limit/i.test(failure.message)) return null;
  }
  const reset = resetIn(headers["x-ratelimit-reset"] ?? headers["ratelimit-reset"], now);
  const wait = Number.isFinite(after)
    ? after
    : exhausted && Number.isFinite(reset)
    ? reset
    : DEFAULT_RETRY_AFTER_SECONDS;
  return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(wait)));
}

/** Whether `error` came of a host that took no token, or not the one that was sent. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof AppError && httpFailureOf(error.cause)?.status === 401;
}

/** The redirect that a request failed by; null where it failed otherwise. */
function redirectOf(error: unknown): RedirectRefused | null {
  if (error instanceof RedirectRefused) return error;
  return error instanceof Error && error.cause instanceof RedirectRefused ? error.cause : null;
}

/**
 * What a failed request means. Statuses that say something about the repository (404…) are the
 * caller's to handle before.
 */
export function codeHostFailure(
  error: unknown,
  { host, now }: { host: string; now: Date },
): AppError {
  if (error instanceof AppError) return error;
  const failure = httpFailureOf(error);
  if (failure === null) {
    const redirect = redirectOf(error);
    const problem = redirect === null ? "could not be reached" : `redirects ${redirect.reason}`;
    return codeHostUnavailable(`${host} ${problem}`, { cause: error });
  }
  const wait = limitedFor(failure, now);
  if (wait !== null) {
    return codeHostUnavailable(`${host} is rate-limiting Berth`, {
      cause: error,
      retryAfter: wait,
    });
  }
  return codeHostUnavailable(`${host} returned status ${failure.status}`, { cause: error });
}
