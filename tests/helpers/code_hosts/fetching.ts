/**
 * Fetching from code hosts on loopback.
 *
 * @module
 */
import { assertRejects } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { fetchRepository, type RepositoryDeps } from "../../../src/repository/fetch.ts";
import type { LoopbackHost } from "./loopback.ts";

/** What fetching from `host` needs, with the operator's token. */
export function depsFor({ settings }: LoopbackHost, token: string | null = null): RepositoryDeps {
  return {
    codeHosts: [{ ...settings, token }],
    fetch,
    resolve: () => Promise.resolve(["127.0.0.1"]),
    now: () => new Date("2026-11-01T00:00:00Z"),
  };
}

/** Fetches the repository at `url`, which has `entrypoint`. */
export function get(host: LoopbackHost, url: string, entrypoint = "server.py", token?: string) {
  return fetchRepository(depsFor(host, token), { url, entrypoint });
}

/** What `promise` fails with. */
export async function failure(promise: Promise<unknown>): Promise<AppError> {
  return await assertRejects(() => promise, AppError);
}

/** Does `body` with a host, which is closed then. */
export async function withHost(
  start: Promise<LoopbackHost>,
  body: (host: LoopbackHost) => Promise<void>,
): Promise<void> {
  const host = await start;
  try {
    await body(host);
  } finally {
    await host.close();
  }
}
