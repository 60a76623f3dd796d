/**
 * Parking of an interpreter, and its waking in another: what is asked of the host, and what it may
 * answer. Nothing of what is parked is looked into.
 *
 * @module
 */
import type { StayReason } from "../../../workers/session/parked_parts.ts";
import type { CallQueue } from "./calls.ts";
import type { Slot } from "./slot.ts";
import type { LoadOutcome, ParkedState, ParkOptions, ParkOutcome } from "./types.ts";

/** Asks one host for the state of one interpreter, and takes the answer. */
export interface Parking {
  /** Whether it was parked, and therefore is no more. */
  readonly isOver: boolean;
  /** Has it parked; null when it came to its end otherwise. */
  park(
    options: ParkOptions,
    known: Pick<ParkedState, "image" | "info">,
  ): Promise<Exclude<ParkOutcome, { kind: "ended" }> | null>;
  /** @throws {Error} When parking was not asked for. */
  stays(reason: StayReason): void;
  /** @throws {Error} When parking was not asked for, or for less. */
  parked(bytes: Uint8Array, dueMs: number | null): void;
}

/** Milliseconds that taking an interpreter's state may take before it is killed. */
const DEADLINE_MS = 20_000;

/** By so much what cannot be compressed grows at most. */
const TOLERATED_BYTES = 256 * 1024;

/** The files of a server as their host is told of them. */
export function listOf(
  files: ReadonlyMap<string, Uint8Array>,
): { path: string; bytes: number }[] {
  return [...files].map(([path, bytes]) => ({ path, bytes: bytes.length }));
}

/** The parking of the interpreter in `slot`, as one of its `calls`: none other runs meanwhile. */
export function createParking(calls: CallQueue, slot: Slot): Parking {
  type Answer = { kind: "stays"; reason: StayReason } | {
    kind: "parked";
    bytes: Uint8Array;
    dueMs: number | null;
  };
  let asked: number | null = null;
  let mostBytes = 0;
  let soonestMs = 0;
  let isOver = false;

  function answer(given: Answer): void {
    if (asked === null) throw new Error("Nothing is being parked");
    const call = asked;
    asked = null;
    calls.finish(call, given);
    isOver = given.kind === "parked";
  }

  return {
    get isOver() {
      return isOver;
    },
    async park({ soonMs, maxBytes }, known) {
      const outcome = await calls.run<Answer>({
        deadlineMs: DEADLINE_MS,
        start(call) {
          asked = call;
          mostBytes = maxBytes + TOLERATED_BYTES;
          soonestMs = soonMs;
          slot.send({ type: "park", soon_ms: soonMs, max_bytes: maxBytes });
        },
      });
      if (outcome.kind !== "finished") return null;
      const { value } = outcome;
      if (value.kind === "stays") return value;
      const { bytes, dueMs } = value;
      return { kind: "parked", state: { ...known, bytes, dueMs } };
    },
    stays: (reason) => answer({ kind: "stays", reason }),
    parked(bytes, dueMs) {
      if (bytes.length > mostBytes) throw new Error("A parked session that is too large");
      if (dueMs !== null && dueMs < soonestMs) throw new Error("A session parked too early");
      answer({ kind: "parked", bytes, dueMs });
    },
  };
}

/** Has the interpreter in `slot` go on with what was parked; null when that ended it. */
export async function wake(
  { calls, slot, files, packages, loadDeadlineMs: deadlineMs }: {
    calls: CallQueue;
    slot: Slot;
    files: ReadonlyMap<string, Uint8Array>;
    packages: Record<string, string>;
    loadDeadlineMs: number;
  },
  { bytes, image, info }: ParkedState,
): Promise<LoadOutcome | null> {
  const outcome = await calls.run<null>({
    deadlineMs,
    start() {
      slot.send(
        { type: "wake", files: listOf(files), image, packages, parked: bytes.length },
        [bytes, ...files.values()],
      );
    },
  });
  return outcome.kind === "finished" ? { kind: "loaded", info } : null;
}
