/**
 * Why a session is not parked.
 *
 * @module
 */
import type { StayReason } from "../../parked_parts.ts";

/** Thrown where something is found that cannot be in a parked session. */
export class Stays extends Error {
  readonly reason: StayReason;

  constructor(reason: StayReason) {
    super(`The session stays: ${reason}`);
    this.reason = reason;
  }
}
