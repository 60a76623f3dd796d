/**
 * Requests to a SonarQube server's web API, and what is said when one fails.
 *
 * @module
 */
import { z } from "zod";
import { readJson } from "../read_json.ts";

/** How the server is reached. */
export interface SonarSettings {
  /** `SONAR_URL`, without a trailing slash. */
  url: string;
  /** `SONAR_TOKEN`; null asks without one. */
  token: string | null;
  /** `SONAR_PROJECT_KEY`: key of a repository's project, with `{owner}` and `{name}`. */
  projectKey: string;
  fetch: typeof fetch;
  /** Told of each time that the server had no usable answer, for the operator. */
  note(reason: SonarUnavailable): void;
  /** Milliseconds for one request. */
  requestMs?: number;
  /** Milliseconds for all requests of a scan. */
  wholeMs?: number;
}

/** The server has no usable answer; `message` says why, for everyone. */
export class SonarUnavailable extends Error {
  /** @param message Names no address and no token. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SonarUnavailable";
  }
}

const REQUEST_MS = 15_000;
const MAX_ANSWER_BYTES = 16 * 2 ** 20;

/** Parameters of a request; those that are undefined are left out. */
export type Parameters = Record<string, string | undefined>;

/** Asks the server. */
export interface SonarClient {
  /**
   * The parsed answer; null when the server does not know what is asked for (404).
   *
   * @throws {SonarUnavailable} For every other failure, but the signal's own reason.
   */
  ask<T>(path: string, parameters: Parameters, schema: z.ZodType<T>): Promise<T | null>;
}

function reasonOf(status: number): string {
  if (status === 401) return "rejected the token";
  if (status === 403) return "does not allow the token to read the project";
  return `returned status ${status}`;
}

function problemOf(error: unknown): string {
  if (error instanceof z.ZodError || error instanceof SyntaxError) {
    return "returned an unexpected response";
  }
  const timedOut = error instanceof DOMException && error.name === "TimeoutError";
  return timedOut ? "took too long to respond" : "could not be reached";
}

/** A client whose requests end with `signal`. */
export function createSonarClient(settings: SonarSettings, signal: AbortSignal): SonarClient {
  const { url, token, requestMs = REQUEST_MS } = settings;
  return {
    async ask(path, parameters, schema) {
      const given = Object.entries(parameters).filter((each): each is [string, string] =>
        each[1] !== undefined
      );
      let status: number;
      try {
        const response = await settings.fetch(`${url}/${path}?${new URLSearchParams(given)}`, {
          headers: {
            accept: "application/json",
            ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          },
          // The token goes to no other address.
          redirect: "manual",
          signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
        });
        status = response.status;
        if (response.ok) return schema.parse(await readJson(response, MAX_ANSWER_BYTES));
        await response.body?.cancel();
      } catch (error) {
        signal.throwIfAborted();
        throw new SonarUnavailable(`SonarQube ${problemOf(error)}`, { cause: error });
      }
      if (status === 404) return null;
      throw new SonarUnavailable(`SonarQube ${reasonOf(status)}`);
    },
  };
}
