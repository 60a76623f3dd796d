/**
 * What the metrics listener tells of this node.
 *
 * @module
 */
import { now } from "../clock.ts";
import { type Config, metricsUrl } from "../config.ts";
import type { ImageFigures } from "../execution/images/maker.ts";
import type { ExecutionMetrics, ParkingMetrics } from "../execution/metrics.ts";
import type { SpareMetrics } from "../execution/spares/metrics.ts";
import type { Handler } from "../http/listen.ts";
import { createMetricsApp } from "../http/metrics_app.ts";
import { createHttpMetrics, type HttpMetrics } from "../http/plumbing/count_requests.ts";
import type { Logger } from "../log.ts";
import type { Family } from "../metrics.ts";
import project from "../../deno.json" with { type: "json" };
import type { ExecutionSide } from "./execution.ts";
import type { ScanMetrics } from "./registry.ts";

/** Requests of both listeners. */
export interface ListenerMetrics {
  registry: HttpMetrics;
  execution: HttpMetrics;
}

/** Nothing counted yet. */
export function createListenerMetrics(): ListenerMetrics {
  return { registry: createHttpMetrics(), execution: createHttpMetrics() };
}

export interface MetricsOptions {
  config: Config;
  log: Logger;
  listeners: ListenerMetrics;
  /** Null where this node has no registry, or no execution listener. */
  scans: ScanMetrics | null;
  execution: Pick<ExecutionSide, "metrics" | "usage"> | null;
}

const STARTED_SECONDS = Date.now() / 1000;

function byLabel(name: string, counts: Record<string, number>) {
  return Object.entries(counts).map(([label, value]) => ({ labels: { [name]: label }, value }));
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
      samples: [{ value: STARTED_SECONDS }],
    },
    {
      name: "process_resident_memory_bytes",
      help: "Resident memory of the main process",
      type: "gauge",
      samples: [{ value: Deno.memoryUsage().rss }],
    },
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

function single(name: string, type: "counter" | "gauge", help: string, value: number): Family {
  return { name, help, type, samples: [{ value }] };
}

function spareFamilies({ waiting, hits, misses, unfit }: SpareMetrics): Family[] {
  return [
    single("berth_spare_sessions", "gauge", "Started sessions waiting for a client", waiting),
    single("berth_spare_hits_total", "counter", "Sessions that began from a spare one", hits),
    single(
      "berth_spare_misses_total",
      "counter",
      "Sessions of servers in demand that found no spare one",
      misses,
    ),
    {
      name: "berth_spare_unfit_total",
      help: "Spare sessions that no client could have, by reason",
      type: "counter",
      samples: byLabel("reason", unfit),
    },
  ];
}

function parkingFamilies(parking: ParkingMetrics): Family[] {
  const { sessions, bytes, wakes, wakesFailed, wakesRefused, refusals, stores } = parking;
  const { arrivals, arrivalsFailed } = parking;
  return [
    single("berth_parked_sessions", "gauge", "Sessions that are parked", sessions),
    single("berth_parked_bytes", "gauge", "Bytes of parked sessions", bytes),
    {
      name: "berth_park_resumes_total",
      help: "Attempts to resume a parked session, by outcome",
      type: "counter",
      samples: byLabel("outcome", { resumed: wakes, failed: wakesFailed, later: wakesRefused }),
    },
    {
      name: "berth_park_refusals_total",
      help: "Idle sessions that could not be parked, by reason",
      type: "counter",
      samples: byLabel("reason", refusals),
    },
    {
      name: "berth_park_stores_total",
      help: "Attempts to store a session in the database, by outcome",
      type: "counter",
      samples: byLabel("outcome", stores),
    },
    {
      name: "berth_park_arrivals_total",
      help: "Attempts to go on with a stored session, by outcome",
      type: "counter",
      samples: byLabel("outcome", { resumed: arrivals, failed: arrivalsFailed }),
    },
  ];
}

function sessionFamilies(metrics: ExecutionMetrics): Family[] {
  return [
    single("berth_sessions", "gauge", "Live sessions", metrics.sessionsActive),
    single(
      "berth_sessions_started_total",
      "counter",
      "Sessions started",
      metrics.sessionsStarted,
    ),
    {
      name: "berth_sessions_ended_total",
      help: "Sessions ended, by reason",
      type: "counter",
      samples: byLabel("reason", metrics.sessionsEnded),
    },
    ...parkingFamilies(metrics.parking),
    single("berth_calls_total", "counter", "Requests answered by sessions", metrics.calls),
    single(
      "berth_call_errors_total",
      "counter",
      "Requests answered with a JSON-RPC error",
      metrics.callErrors,
    ),
    ...spareFamilies(metrics.spares),
    {
      name: "berth_call_seconds",
      help: "Response time of sessions",
      type: "histogram",
      samples: [{ value: metrics.callSeconds }],
    },
  ];
}

function imageFamilies({ images, bytes, made, failed }: ImageFigures): Family[] {
  return [
    single("berth_images", "gauge", "Images of packages that this node has made and keeps", images),
    single("berth_images_bytes", "gauge", "Size of these images on disk", bytes),
    single("berth_images_made_total", "counter", "Images made", made),
    single(
      "berth_images_failed_total",
      "counter",
      "Sets of packages of which no image could be made",
      failed,
    ),
  ];
}

async function hostFamilies(execution: Pick<ExecutionSide, "usage">): Promise<Family[]> {
  const { warm, hosts, images } = await execution.usage();
  const memory = hosts.reduce((sum, host) => sum + host.memory, 0);
  const gauge = (name: string, help: string, value: number) =>
    ({ name, help, type: "gauge", samples: [{ value }] }) satisfies Family;
  return [
    gauge("berth_warm_sessions", "Started sessions waiting for their first use", warm),
    gauge("berth_session_hosts", "Session host processes", hosts.length),
    gauge("berth_session_hosts_resident_bytes", "Resident memory of all session hosts", memory),
    ...(images === null ? [] : imageFamilies(images)),
  ];
}

/** All figures of now. */
async function readMetrics(options: MetricsOptions): Promise<Family[]> {
  const { scans, execution, listeners } = options;
  return [
    ...processFamilies(options),
    ...httpFamilies(listeners),
    ...(scans === null ? [] : scanFamilies(scans)),
    ...(execution === null ? [] : sessionFamilies(execution.metrics)),
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
