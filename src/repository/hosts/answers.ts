/**
 * Requests to the API of a code host, and what their answers say: bounded, and checked against a
 * schema before use.
 *
 * @module
 */
import { z } from "zod";
import { codeHostFailure, httpFailureOf, limitedFor } from "../failed_requests.ts";
import { API_TIMEOUT_MS, MAX_API_BYTES } from "../fetch_limits.ts";
import { codeHostUnavailable } from "../failures.ts";
import { createGuardedFetch } from "../guarded_fetch.ts";
import type { CodeHost, OneHostDeps, OpenedArchive } from "./code_host.ts";

/** A commit's id: SHA-1, or SHA-256 in repositories that Berth refuses. */
export const CommitId = z.string().trim().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

/** Statuses by which a code host says that there is no such thing, or that Berth may not have it. */
export const ABSENT: readonly number[] = [403, 404, 410, 451];

/** An answer whose status says that the request failed. */
export class FailedAnswer extends Error {
  /** The answer as failures are looked into. */
  readonly response: { headers: Record<string, string> };

  /** @param status Its status. */
  constructor(readonly status: number, headers: Headers) {
    super(`The answer has status ${status}`);
    this.name = "FailedAnswer";
    this.response = { headers: Object.fromEntries(headers) };
  }
}

/** `response` whose body fails once it is larger than an answer of an API may be. */
export function bounded(response: Response): Response {
  let size = 0;
  const body = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length;
        if (size > MAX_API_BYTES) {
          throw new Error(`The response is larger than ${MAX_API_BYTES} bytes`);
        }
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(body ?? null, { status: response.status, headers: response.headers });
}

/** The JSON of an answer, bounded; undefined, which no schema takes, where it has none. */
export async function jsonOf(response: Response): Promise<unknown> {
  const text = await bounded(response).text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // A sign-in page of a firewall.
    return undefined;
  }
}

function within(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(API_TIMEOUT_MS);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

/** What an answer must be, and how long it is waited for. */
export interface Asked<T> {
  schema: z.ZodType<T>;
  /** Statuses that give null; all others that are no success fail. */
  expected: readonly number[];
  signal: AbortSignal | undefined;
}

/**
 * What `send` gives, checked; null for an expected status.
 *
 * @param send Sends one GET, and rejects with an error that has status and headers of an answer.
 */
export async function ask<T>(
  { host, now }: Pick<CodeHost, "host" | "now">,
  send: (signal: AbortSignal) => Promise<unknown>,
  { schema, expected, signal }: Asked<T>,
): Promise<T | null> {
  let data: unknown;
  try {
    data = await send(within(signal));
  } catch (error) {
    signal?.throwIfAborted();
    const failure = httpFailureOf(error);
    if (
      failure !== null && expected.includes(failure.status) && limitedFor(failure, now()) === null
    ) return null;
    throw codeHostFailure(error, { host, now: now() });
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw codeHostUnavailable(`${host} returned an unexpected API response`, {
    cause: parsed.error,
  });
}

/** Reads below one API's address; what comes is bounded. */
export interface JsonApi {
  /** Checks the answer to `path`, which begins with a slash. */
  get<T>(path: string, asked: Asked<T>): Promise<T | null>;
  /** Begins to read the answer to `path`. */
  open(path: string, signal: AbortSignal): Promise<OpenedArchive>;
}

/** A client of the API at `settings.apiUrl`, which takes the token in `authorization`. */
export function createJsonApi(
  deps: OneHostDeps,
  authorization: (token: string) => string,
): JsonApi {
  const { settings: { apiUrl, token, host }, now } = deps;
  const guardedFetch = createGuardedFetch({ ...deps, apiUrl });
  const headers: Record<string, string> = {
    "user-agent": "berth",
    ...(token === null ? {} : { authorization: authorization(token) }),
  };

  async function send(path: string, accept: string, signal: AbortSignal): Promise<Response> {
    const init = { headers: { ...headers, accept }, signal };
    const response = await guardedFetch(`${apiUrl}${path}`, init);
    if (response.ok) return response;
    await response.body?.cancel();
    throw new FailedAnswer(response.status, response.headers);
  }

  return {
    get: (path, asked) =>
      ask(
        { host, now },
        async (signal) => await jsonOf(await send(path, "application/json", signal)),
        asked,
      ),
    async open(path, signal) {
      const response = await send(path, "*/*", signal);
      return { headers: Object.fromEntries(response.headers), data: response.body };
    },
  };
}
