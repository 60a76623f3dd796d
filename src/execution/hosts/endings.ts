/**
 * Why a host ended, and what its sessions are told.
 *
 * @module
 */
import type { ProcessExit } from "../../sandbox/process.ts";
import { PROTOCOL_BROKEN } from "../interpreters/slot.ts";
import type { EndReason } from "../interpreters/types.ts";

/** Why a host process ended. */
export interface Ending {
  reason: EndReason;
  /** For people. */
  message: string;
}

export interface HostEnding extends Ending {
  /** The slot because of which it ends; null: none that is known. */
  offender: number | null;
}

const HOST_PROTOCOL_BROKEN =
  "The session was ended: its host process violated the sandbox protocol";
const OUT_OF_MEMORY = /out of memory|memory limit|OOM/i;

/** What a session is told when its host ran out of memory: the limit, and what to do. */
function outOfMemory(memoryMb: number): Ending {
  const message = "The session was ended: its host process ran out of memory. A session has " +
    `${memoryMb} MiB (SESSION_MEMORY_MB). Process less data at once`;
  return { reason: "memory", message };
}

/** The end of a host whose process ended by itself, or for what it sent. */
export function endingOfExit(
  exit: ProcessExit,
  offender: number | null,
  memoryMb: number,
): HostEnding {
  if (exit.fault !== null) {
    // Whose messages they were is known only where one slot is named.
    const message = offender === null ? HOST_PROTOCOL_BROKEN : PROTOCOL_BROKEN;
    return { reason: "protocol", message, offender };
  }
  if (OUT_OF_MEMORY.test(exit.stderr)) return { ...outOfMemory(memoryMb), offender: null };
  const how = exit.signal ?? `code ${exit.code}`;
  // So the system ends what needs more memory than it may have.
  const why = exit.signal === "SIGKILL"
    ? `, possibly because it ran out of memory: a session has ${memoryMb} MiB (SESSION_MEMORY_MB)`
    : "";
  const message = `The session was ended: its host process stopped (${how})${why}`;
  return { reason: "crashed", message, offender: null };
}

/** The end of an interpreter that its host says has broken. */
export function endingOfInterpreter(message: string, memoryMb: number): Ending {
  if (OUT_OF_MEMORY.test(message)) return outOfMemory(memoryMb);
  const text = `The session was ended: ${message || "its interpreter stopped"}`;
  return { reason: "crashed", message: text };
}

/** What the interpreter in `slot` hears of its host's end. */
export function endingFor(slot: number, { offender, reason, message }: HostEnding): Ending {
  if (offender === null || offender === slot) return { reason, message };
  return {
    reason: "crashed",
    message: "The session was ended: another session of yours crashed their common host process",
  };
}
