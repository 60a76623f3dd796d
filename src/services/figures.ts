/**
 * Wiring of the figures over time: what of this node is kept for the charts.
 *
 * @module
 */
import { now } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Sql } from "../database/client.ts";
import type { Figures } from "../figures/figures.ts";
import { type Gathering, startGathering } from "../figures/gather.ts";
import type { HttpMetrics } from "../http/plumbing/count_requests.ts";
import type { Logger } from "../log.ts";
import type { ExecutionSide } from "./execution.ts";
import type { ListenerMetrics } from "./operations/listeners.ts";
import { nodeName } from "./operations/node.ts";
import type { ScanMetrics } from "./registry.ts";

/** Ends of sessions that nobody wanted. */
const FAULTS = ["timeout", "memory", "processor", "crashed", "protocol"];

export interface FiguresOptions {
  config: Config;
  sql: Sql;
  log: Logger;
  listeners: ListenerMetrics;
  /** Null where this node has no registry, or runs no servers. */
  scans: ScanMetrics | null;
  execution: Pick<ExecutionSide, "metrics" | "usage"> | null;
}

/** Requests that were answered with a status that `matches`. */
function answered(metrics: HttpMetrics, matches: (status: number) => boolean): number {
  return [...metrics.requests.values()].flatMap((statuses) => [...statuses])
    .reduce((sum, [status, count]) => sum + (matches(status) ? count : 0), 0);
}

async function executionFigures({ metrics, usage }: NonNullable<FiguresOptions["execution"]>) {
  const { hosts } = await usage();
  return {
    sessions: metrics.sessionsActive,
    parked: metrics.parking.sessions,
    host_bytes: hosts.reduce((sum, { memory }) => sum + memory, 0),
    starts: metrics.sessionsStarted,
    calls: metrics.calls,
    call_ms: metrics.callSeconds.sum * 1000,
    call_errors: metrics.callErrors,
    session_faults: FAULTS.reduce((sum, reason) => sum + (metrics.sessionsEnded[reason] ?? 0), 0),
  };
}

const NO_EXECUTION = {
  sessions: 0,
  parked: 0,
  host_bytes: 0,
  starts: 0,
  calls: 0,
  call_ms: 0,
  call_errors: 0,
  session_faults: 0,
};

async function readNode({ listeners, scans, execution }: FiguresOptions): Promise<Figures> {
  const all = Object.values(listeners) as HttpMetrics[];
  const requests = (matches: (status: number) => boolean) =>
    all.reduce((sum, listener) => sum + answered(listener, matches), 0);
  const { passed = 0, failed = 0, error = 0 } = scans?.outcomes ?? {};
  return {
    ...(execution === null ? NO_EXECUTION : await executionFigures(execution)),
    main_bytes: Deno.memoryUsage().rss,
    server_errors: requests((status) => status >= 500),
    refused_requests: requests((status) => status === 429),
    scans_passed: passed,
    scans_failed: failed,
    scans_unfinished: error,
    scan_ms: (scans?.seconds.sum ?? 0) * 1000,
  };
}

/** Starts to keep this node's figures. */
export function startFigures(options: FiguresOptions): Gathering {
  const { config, sql, log } = options;
  return startGathering({
    sql,
    log,
    now,
    node: nodeName(config),
    read: () => readNode(options),
  });
}
