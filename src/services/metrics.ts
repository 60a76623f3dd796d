/**
 * What the metrics listener tells of this node.
 *
 * @module
 */
import process from "node:process";
import { now } from "../clock.ts";
import { type Config, metricsUrl } from "../config.ts";
import type { Sql } from "../database/client.ts";
import type { Health } from "../figures/health.ts";
import type { Handler } from "../http/listen.ts";
import { createMetricsApp } from "../http/metrics_app.ts";
import type { HttpMetrics } from "../http/plumbing/count_requests.ts";
import type { Logger } from "../log.ts";
import { byLabel, type Family, single } from "../metrics.ts";
import project from "../../deno.json" with { type: "json" };
import type { ExecutionSide } from "./execution.ts";
import { databaseFamilies, failureFamilies, healthFamilies } from "./operations/families.ts";
import type { ListenerMetrics } from "./operations/listeners.ts";
import { hostFamilies, sessionFamilies } from "./operations/session_families.ts";
import type { CallNotes } from "./operations/calls.ts";
import type { Parts } from "./parts.ts";
import type { RegistrySide, ScanMetrics } from "./registry.ts";
import { maxSessionsOf } from "./execution.ts";

export interface MetricsOptions {
  config: Config;
  log: Logger;
  listeners: ListenerMetrics;
  /** Null where this node has no registry, or no execution listener. */
  scans: ScanMetrics | null;
  execution: Pick<ExecutionSide, "metrics" | "usage"> | null;
  scanLoad: RegistrySide["load"] | null;
  sql: Sql;
  health: Pick<Health, "read">;
  /** Records of calls; null where none are made. */
  records: CallNotes["records"];
}

/** When this process began, as far as it can tell. */
export const STARTED = new Date();

/** Memory of the container, or of the machine, in bytes. */
export function memoryLimit(): number {
  const { total } = Deno.systemMemoryInfo();
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(total, constrained) : total;
}

/** What of this node's parts is told. @param config With the listeners' ports. */
export function metricsOptions(
  config: Config,
  { registry, execution, database, health, calls }: Parts,
  rest: Pick<MetricsOptions, "log" | "listeners">,
): MetricsOptions {
  return {
    ...rest,
    config,
    scans: registry?.metrics ?? null,
    execution,
    scanLoad: registry?.load ?? null,
    sql: database.sql,
    health,
    records: calls.records,
  };
}

function processFamilies({ config }: MetricsOptions): Family[] {
  const labels = { version: project.version, role: config.ROLE };
  return [
    {
      name: "berth_info",
      help: "Version and role of this node",
      type: "gauge",
      samples: [{ labels, value: 1 }],
    },
    {
      name: "process_start_time_seconds",
      help: "Start time of the main process, as a Unix timestamp in seconds",
      type: "gauge",
      samples: [{ value: STARTED.getTime() / 1000 }],
    },
    {
      name: "process_resident_memory_bytes",
      help: "Resident memory of the main process",
      type: "gauge",
      samples: [{ value: Deno.memoryUsage().rss }],
    },
    single(
      "berth_memory_limit_bytes",
      "gauge",
      "Memory of the container, or of the machine",
      memoryLimit(),
    ),
  ];
}

function httpFamilies(listeners: ListenerMetrics): Family[] {
  const all = Object.entries(listeners) as [string, HttpMetrics][];
  return [
    {
      name: "berth_http_requests_total",
      help: "HTTP requests answered",
      type: "counter",
      samples: all.flatMap(([listener, { requests }]) =>
        [...requests].flatMap(([method, statuses]) =>
          [...statuses].map(([status, value]) => ({
            labels: { listener, method, status: String(status) },
            value,
          }))
        )
      ),
    },
    {
      name: "berth_http_request_seconds",
      help: "Time until response headers were ready",
      type: "histogram",
      samples: all.map(([listener, { seconds }]) => ({ labels: { listener }, value: seconds })),
    },
  ];
}

function loadFamilies({ running, waiting }: ReturnType<RegistrySide["load"]>): Family[] {
  return [
    single("berth_scans_running", "gauge", "Scans that run", running),
    single("berth_scans_waiting", "gauge", "Scans that wait for a place", waiting),
  ];
}

function scanFamilies({ outcomes, seconds }: ScanMetrics): Family[] {
  return [
    {
      name: "berth_scans_total",
      help: "Scans by outcome: passed, failed, error, or aborted",
      type: "counter",
      samples: byLabel("outcome", outcomes),
    },
    {
      name: "berth_scan_seconds",
      help: "Duration of scans, excluding fetching and queueing",
      type: "histogram",
      samples: [{ value: seconds }],
    },
  ];
}

/** All figures of now. */
export async function readMetrics(options: MetricsOptions): Promise<Family[]> {
  const { config, scans, scanLoad, execution, listeners, health, records } = options;
  return [
    ...processFamilies(options),
    ...healthFamilies(health),
    ...await databaseFamilies(options.sql),
    ...httpFamilies(listeners),
    ...failureFamilies(listeners),
    ...(scanLoad === null ? [] : loadFamilies(scanLoad())),
    ...(records === null ? [] : [{
      name: "berth_call_records_total",
      help: "Records of calls, by what became of them",
      type: "counter" as const,
      samples: byLabel("outcome", { ...records }),
    }]),
    ...(scans === null ? [] : scanFamilies(scans)),
    ...(execution === null ? [] : sessionFamilies(execution.metrics, maxSessionsOf(config))),
    ...(execution === null ? [] : await hostFamilies(execution)),
  ];
}

/** The metrics listener's handler; null without `METRICS_PORT`. */
export function metricsHandler(options: MetricsOptions): Handler | null {
  const { config, log } = options;
  const publicUrl = metricsUrl(config);
  if (publicUrl === null) return null;
  const app = createMetricsApp({
    log,
    now,
    newId: () => crypto.randomUUID(),
    bindHost: new URL(publicUrl).hostname,
    publicUrl,
    read: () => readMetrics(options),
  });
  return (request, info) => app.fetch(request, info);
}
