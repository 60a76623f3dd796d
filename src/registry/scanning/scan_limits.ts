/**
 * How many scans a user may have made: each takes minutes of a processor and hundreds of megabytes
 * of memory at worst. Administrators, and Berth itself, have no such limit.
 *
 * @module
 */
import type { Transaction } from "../../database/client.ts";
import { tooManyScans, tooManyScansAtOnce } from "../failures.ts";

/** Scans of one user that run, or wait for their turn, at once. */
export const SCANS_AT_ONCE = 3;

const HOUR_SECONDS = 3600;
/** First half of an advisory lock's key; the other is the user. */
const LOCK = 7_261_002;

/** Whose scan is checked, and when. */
export interface ScanQuota {
  actor: string;
  /** Scans that a user may begin in any hour (`SCANS_PER_HOUR`). */
  perHour: number;
  now: Date;
}

/**
 * Checks a scan of `actor` that `tx` has just recorded, against those recorded before it, whatever
 * became of them. The lock makes the scans that a user begins at once, on any number of
 * nodes, wait for each other here.
 *
 * @throws {AppError} `rate_limited`: `tx` must be rolled back then, and nothing was counted.
 */
export async function checkScanLimits(
  tx: Transaction,
  { actor, perHour, now }: ScanQuota,
): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCK}, hashtext(${actor}))`;
  const [row] = await tx<[{ running: number; recent: number; wait: number | null }]>`
    select
      (select count(*)::int from scans
        where actor = ${actor} and state = 'running' and lease_until >= now()) as running,
      (select count(*)::int from scans
        where actor = ${actor} and started_at > ${now}::timestamptz - interval '1 hour') as recent,
      (select ceil(extract(epoch from started_at + interval '1 hour' - ${now}::timestamptz))::int
        from scans where actor = ${actor}
        order by started_at desc offset ${perHour} limit 1) as wait`;
  if (row.recent > perHour) {
    throw tooManyScans(perHour, Math.min(Math.max(row.wait ?? 1, 1), HOUR_SECONDS));
  }
  if (row.running > SCANS_AT_ONCE) throw tooManyScansAtOnce(SCANS_AT_ONCE);
}
