/**
 * Counters of the execution side. Plain numbers: whoever exposes them reads the object.
 *
 * @module
 */
import { createHistogram, type Histogram, observe } from "../metrics.ts";
import type { CallResult } from "./calls/call.ts";
import { createStartMetrics, type StartMetrics } from "./calls/starts.ts";
import { createSpareMetrics, type SpareMetrics } from "./spares/metrics.ts";

/** Figures since the start. */
export interface ExecutionMetrics {
  sessionsActive: number;
  sessionsStarted: number;
  /** Sessions that ended, by reason. */
  sessionsEnded: Record<string, number>;
  calls: number;
  /** Calls that were answered with a JSON-RPC error. */
  callErrors: number;
  /** What came of them. */
  callResults: Record<CallResult, number>;
  starts: StartMetrics;
  spares: SpareMetrics;
  /** How long calls took. */
  callSeconds: Histogram;
  parking: ParkingMetrics;
}

/** How many idle sessions gave their memory back, and what came of it. */
export interface ParkingMetrics {
  /** Sessions that are parked now, and their bytes. */
  sessions: number;
  bytes: number;
  /** Sessions that went on, that ended because they could not, and that had to wait for a host. */
  wakes: number;
  wakesFailed: number;
  wakesRefused: number;
  /** Sessions that stayed, by reason. */
  refusals: Record<string, number>;
  /** What came of storing sessions, by outcome. */
  stores: Record<string, number>;
  /** Stored sessions that went on here, and that could not. */
  arrivals: number;
  arrivalsFailed: number;
}

function createParkingMetrics(): ParkingMetrics {
  return {
    sessions: 0,
    bytes: 0,
    wakes: 0,
    wakesFailed: 0,
    wakesRefused: 0,
    refusals: {},
    stores: {},
    arrivals: 0,
    arrivalsFailed: 0,
  };
}

/** Counters at zero. */
export function createMetrics(): ExecutionMetrics {
  return {
    sessionsActive: 0,
    sessionsStarted: 0,
    sessionsEnded: {},
    calls: 0,
    callErrors: 0,
    callResults: {
      ok: 0,
      tool_error: 0,
      error: 0,
      timeout: 0,
      cancelled: 0,
      busy: 0,
      ended: 0,
    },
    starts: createStartMetrics(),
    spares: createSpareMetrics(),
    callSeconds: createHistogram(),
    parking: createParkingMetrics(),
  };
}

/** Adds a finished call to the counters and to the histogram of durations. */
export function countCall(metrics: ExecutionMetrics, seconds: number, result: CallResult): void {
  metrics.calls += 1;
  metrics.callResults[result] += 1;
  if (result !== "ok" && result !== "tool_error") metrics.callErrors += 1;
  observe(metrics.callSeconds, seconds);
}
