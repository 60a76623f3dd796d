/**
 * The figures of a node over time. Amounts are as they are at a moment; counts go up from the node's
 * start, and what is kept is by how much they rose.
 *
 * @module
 */

/** What a node has at a moment. */
export const AMOUNTS = ["sessions", "parked", "main_bytes", "host_bytes"] as const;

/** What a node has counted. Names that end with `_ms` are sums of milliseconds. */
export const COUNTS = [
  "starts",
  "calls",
  "call_ms",
  "call_errors",
  "session_faults",
  "server_errors",
  "refused_requests",
  "scans_passed",
  "scans_failed",
  "scans_unfinished",
  "scan_ms",
] as const;

export type Amount = (typeof AMOUNTS)[number];
export type Count = (typeof COUNTS)[number];

/** All figures: of a moment, or of a span of time. */
export type Figures = Readonly<Record<Amount | Count, number>>;

/** By how much the counts of `now` rose since `before`; amounts stay what they are. */
export function risen(now: Figures, before: Figures): Figures {
  const counts = COUNTS.map((name) => [name, Math.max(0, now[name] - before[name])]);
  return { ...now, ...Object.fromEntries(counts) };
}

/** Figures of a node that has done nothing. */
export function noFigures(): Figures {
  return Object.fromEntries([...AMOUNTS, ...COUNTS].map((name) => [name, 0])) as Figures;
}
