/**
 * Parking an interpreter: whether it can be, and its state.
 *
 * @module
 */
import type { Pyodide } from "../boot.ts";
import { clearFreed } from "../freed.ts";
import { type Parkable, takeParked } from "./parked.ts";
import { Stays } from "./stays.ts";
import { suspendedNow } from "./suspended.ts";
import type { StayReason } from "../../parked_parts.ts";

/** What the Python side has for it. */
export interface ParkingRuntime {
  park(): string;
  back(moved: boolean): void;
}

/** An interpreter that may be parked. */
export interface Idle extends Omit<Parkable, "packages"> {
  pyodide: Pyodide;
  runtime: ParkingRuntime;
  /** Whether something is asked for and not there yet. */
  open: () => boolean;
}

/** What Python says of itself before it is parked. */
interface Leave {
  refused: StayReason | null;
  /** Programs that wait on a stack of their own, as parked sessions may. */
  staying: number;
  /** Milliseconds until the next timer is due; null for none. */
  due_ms: number | null;
}

export interface ParkLimits {
  packages: readonly string[];
  /** Who has a timer that is due sooner stays. */
  soonMs: number;
  maxBytes: number;
}

/** The state of a session, or why it stays as it is. */
export type ParkOutcome =
  | { bytes: Uint8Array<ArrayBuffer>; dueMs: number | null }
  | { reason: StayReason };

function assertIdle({ refused, staying, due_ms }: Leave, soonMs: number): void {
  if (refused !== null) throw new Stays(refused);
  if (suspendedNow().count !== staying) throw new Stays("suspended");
  if (due_ms !== null && due_ms < soonMs) throw new Stays("timer");
}

/**
 * Takes the state of an interpreter. From the moment it is taken until this is over nothing else runs;
 * afterwards the interpreter must not be used.
 */
export function park(idle: Idle, limits: ParkLimits): ParkOutcome {
  const { runtime, open } = idle;
  let left = false;
  try {
    if (open()) throw new Stays("request");
    const leave = JSON.parse(runtime.park()) as Leave;
    left = leave.refused === null;
    assertIdle(leave, limits.soonMs);
    clearFreed(idle.pyodide, suspendedNow().stack);
    const bytes = takeParked({ ...idle, packages: limits.packages }, limits.maxBytes);
    return { bytes, dueMs: leave.due_ms === null ? null : Math.round(leave.due_ms) };
  } catch (error) {
    if (left) runtime.back(false);
    return { reason: error instanceof Stays ? error.reason : "error" };
  }
}
