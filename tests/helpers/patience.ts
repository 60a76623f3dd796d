/**
 * How long tests wait for what takes a moment: the machine may be very busy, or stop for a while.
 *
 * @module
 */

/** In milliseconds. */
export const PATIENCE_MS = 600_000;
