/**
 * Figures of sessions and their hosts, for the metrics listener.
 *
 * @module
 */
import type { StartMetrics } from "../../execution/calls/starts.ts";
import type { ImageFigures } from "../../execution/images/maker.ts";
import type { ExecutionMetrics, ParkingMetrics } from "../../execution/metrics.ts";
import type { SpareMetrics } from "../../execution/spares/metrics.ts";
import { byLabel, type Family, single } from "../../metrics.ts";
import type { ExecutionSide } from "../execution.ts";

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

/** Starts of sessions by what they started from, and what came of them. */
function startFamilies({ results, seconds }: StartMetrics): Family[] {
  return [
    {
      name: "berth_session_starts_total",
      help: "Starts of sessions by kind (spare, warm, shared, cold) and result",
      type: "counter",
      samples: Object.entries(results).flatMap(([kind, counts]) =>
        Object.entries(counts).map(([result, value]) => ({ labels: { kind, result }, value }))
      ),
    },
    {
      name: "berth_session_start_seconds",
      help: "Time until a session had started, by kind",
      type: "histogram",
      samples: Object.entries(seconds).map(([kind, value]) => ({ labels: { kind }, value })),
    },
  ];
}

/** Requests that sessions answered. */
function callFamilies({ callResults, callErrors }: ExecutionMetrics): Family[] {
  return [
    {
      name: "berth_calls_total",
      help: "Requests answered by sessions, by result",
      type: "counter",
      samples: Object.entries(callResults).map(([result, value]) => ({
        labels: { result },
        value,
      })),
    },
    {
      name: "berth_call_errors_total",
      help: "Requests answered with a JSON-RPC error",
      type: "counter",
      samples: [{ value: callErrors }],
    },
  ];
}

/** Figures of sessions. @param most How many there may be. */
export function sessionFamilies(metrics: ExecutionMetrics, most: number): Family[] {
  return [
    single("berth_sessions_max", "gauge", "Most sessions of this node", most),
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
    ...startFamilies(metrics.starts),
    ...callFamilies(metrics),
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

/** Figures of the processes that sessions run in. */
export async function hostFamilies(execution: Pick<ExecutionSide, "usage">): Promise<Family[]> {
  const { warm, hosts, images } = await execution.usage();
  const memory = hosts.reduce((sum, host) => sum + host.memory, 0);
  const gauge = (name: string, help: string, value: number) => single(name, "gauge", help, value);
  return [
    gauge("berth_warm_sessions", "Started sessions waiting for their first use", warm),
    gauge("berth_session_hosts", "Session host processes", hosts.length),
    gauge("berth_session_hosts_resident_bytes", "Resident memory of all session hosts", memory),
    ...(images === null ? [] : imageFamilies(images)),
  ];
}
