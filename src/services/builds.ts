/**
 * Wiring of builds: who starts what was scanned, and the ones that wait for a node.
 *
 * @module
 */
import { now } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Sql } from "../database/client.ts";
import { type ExecutionPolicy, whyNotAdmitted } from "../execution/admission/runnable.ts";
import { createBuilder } from "../execution/build/build.ts";
import type { Logger } from "../log.ts";
import type { BuildServer } from "../registry/deps.ts";
import { BUILD_CHANNEL, type BuildDeps, buildDue } from "../registry/scanning/builds.ts";
import { notTried } from "../scan/build.ts";
import type { RunningHosts } from "./execution.ts";
import { packagesForBuild } from "./packages/packages.ts";

/** How often a node looks for builds that it did not hear of. */
const ROUND_MS = 30_000;

/** What a node without hosts says: a worker node builds what may run. */
function elsewhere(policy: ExecutionPolicy): BuildServer {
  return ({ lang, scanStatus }) => {
    const refusal = whyNotAdmitted({ lang, scanStatus }, policy);
    const message = refusal?.message ?? "This node runs no servers: a worker node tries it";
    return Promise.resolve({ ...notTried(message), again: refusal === null });
  };
}

/** How this node builds; null where builds are off. `hosts`: null where it runs no servers. */
export function builderOf(
  config: Config,
  hosts: RunningHosts | null,
  { sql, log }: { sql: Sql; log: Logger },
): BuildServer | null {
  if (config.BUILD_POLICY === "off") return null;
  if (hosts === null) return elsewhere(config.EXECUTION_POLICY);
  return createBuilder({
    hosts,
    profile: config.INTERPRETER_PROFILE,
    policy: config.EXECUTION_POLICY,
    log,
    packages: packagesForBuild(config, { sql, log, hosts }),
    newId: () => crypto.randomUUID(),
  });
}

/** Builds what waits for a node, now and whenever there is more. @returns What ends that. */
export async function startBuilds(
  { sql, log, build, objects }: Omit<BuildDeps, "now">,
): Promise<() => Promise<void>> {
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  let asked = false;
  async function round() {
    do {
      asked = false;
      try {
        await buildDue({ sql, log, now, build, objects: objects ?? null }, closing.signal);
      } catch (error) {
        log.error("build.round_failed", { error });
      }
    } while (asked && !closing.signal.aborted);
    running = null;
  }
  function look() {
    asked = true;
    running ??= round();
  }
  const listening = await sql.listen(BUILD_CHANNEL, look);
  const timer = setInterval(look, ROUND_MS);
  look();
  return async () => {
    clearInterval(timer);
    closing.abort(new Error("Berth is shutting down"));
    await listening.unlisten();
    await running;
  };
}
