/**
 * Wiring of what administrators ask of a node.
 *
 * @module
 */
import { exportCalls } from "../../audit/calls/export.ts";
import { bound } from "../../bound.ts";
import type { Config } from "../../config.ts";
import { readDatabase } from "../../database/facts.ts";
import { readJobs } from "../../database/jobs.ts";
import { type NodeStatus, readNodes } from "../../figures/status.ts";
import { type Checks, failingChecks } from "../../http/routes/health.ts";
import type { OperationsServices } from "../../http/services.ts";
import project from "../../../deno.json" with { type: "json" };
import { maxSessionsOf } from "../execution.ts";
import { nodeName } from "./node.ts";
import { memoryLimit, STARTED } from "../metrics.ts";
import type { Parts } from "../parts.ts";

export interface StatusOptions {
  /** With the listeners' ports. */
  config: Config;
  parts: Pick<Parts, "database" | "health" | "calls" | "execution" | "registry">;
  checks: Checks;
  draining: { readonly begun: boolean };
}

async function sessionsOf({ parts: { execution }, config }: StatusOptions) {
  if (execution === null) return { sessions: null, hostBytes: 0, calls: {} };
  const { metrics } = execution;
  const { warm, spare, hosts } = await execution.usage();
  return {
    sessions: {
      live: metrics.sessionsActive,
      parked: metrics.parking.sessions,
      spare,
      warm,
      max: maxSessionsOf(config),
    },
    hostBytes: hosts.reduce((sum, { memory }) => sum + memory, 0),
    calls: metrics.callResults,
  };
}

async function databaseOf({ parts: { database: { sql, kind } } }: StatusOptions) {
  const [facts, nodes, jobs] = await Promise.all([
    readDatabase(sql),
    readNodes(sql),
    readJobs(sql),
  ]);
  return {
    database: facts === null ? null : { kind, ...facts, ms: Math.round(facts.ms) },
    nodes,
    jobs: jobs.map(({ began_at, ended_at, ...rest }) => ({
      ...rest,
      began_at: began_at.toISOString(),
      ended_at: ended_at?.toISOString() ?? null,
    })),
  };
}

async function readStatus(options: StatusOptions): Promise<NodeStatus> {
  const { config, parts, checks, draining } = options;
  const failed = await failingChecks(checks);
  const { sessions, hostBytes, calls } = await sessionsOf(options);
  return {
    node: {
      name: nodeName(config),
      version: project.version,
      role: config.ROLE,
      started_at: STARTED.toISOString(),
      draining: draining.begun,
    },
    checks: Object.fromEntries(
      Object.keys(checks).map((name) => [name, failed.has(name) ? "failed" : "ok"]),
    ),
    parts: Object.fromEntries(
      [...parts.health.read()].map(([part, { at, ...rest }]) => [
        part,
        { ...rest, at: at?.toISOString() ?? null },
      ]),
    ),
    memory: {
      main_bytes: Deno.memoryUsage().rss,
      host_bytes: hostBytes,
      limit_bytes: memoryLimit(),
    },
    sessions,
    calls,
    call_records: parts.calls.records,
    scans: parts.registry?.load() ?? { running: 0, waiting: 0 },
    ...await databaseOf(options),
  };
}

/** The use cases of operators, for the registry listener. */
export function operationsServices(options: StatusOptions): OperationsServices {
  return {
    status: () => readStatus(options),
    ...bound({ sql: options.parts.database.sql }, { calls: exportCalls }),
  };
}
