/**
 * Builds of small servers in real hosts.
 *
 * @module
 */
import { type BuilderDeps, createBuilder } from "../../../src/execution/build/build.ts";
import type { SessionHosts } from "../../../src/execution/hosts/types.ts";
import type { BuildOutcome, BuildRequest } from "../../../src/registry/deps.ts";
import { PATIENCE_MS } from "../../helpers/patience.ts";
import { silentLog } from "../../helpers/database.ts";

/** Files as a request has them. */
export function filesOf(texts: Record<string, string>): Map<string, Uint8Array> {
  const encoder = new TextEncoder();
  return new Map(Object.entries(texts).map(([path, text]) => [path, encoder.encode(text)]));
}

/** A request to build `source`, or several files with the entrypoint `server.py`. */
export function buildRequest(
  source: string | Record<string, string>,
  overrides: Partial<BuildRequest> = {},
): BuildRequest {
  return {
    server: "weather",
    lang: "python",
    scanStatus: "passed",
    entrypoint: "server.py",
    files: filesOf(typeof source === "string" ? { "server.py": source } : source),
    scanned: null,
    ...overrides,
  };
}

let ids = 0;

/** A builder on `hosts` with the full profile and time to spare. */
export function testBuilder(
  hosts: Pick<SessionHosts, "open">,
  overrides: Partial<BuilderDeps> = {},
) {
  const build = createBuilder({
    hosts,
    profile: "full",
    policy: "unless-failed",
    log: silentLog,
    newId: () => `${ids++}`,
    deadlineMs: PATIENCE_MS,
    patience: () => 1,
    ...overrides,
  });
  return (
    source: string | Record<string, string>,
    { signal = new AbortController().signal, ...request }: Partial<BuildRequest> & {
      signal?: AbortSignal;
    } = {},
  ): Promise<BuildOutcome> => build(buildRequest(source, request), signal);
}
