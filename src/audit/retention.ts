/**
 * How long entries of the audit log are kept. Changes stay; what only tells of use goes.
 *
 * @module
 */
import type { Queryable } from "../database/client.ts";

/** Days that refusals, and entries about hosts that were ended, are kept. */
export const REFUSAL_DAYS = 90;
/** Days that sign-ins and what was done with tokens are kept. */
export const ACCESS_DAYS = 400;

const DAY_MS = 86_400_000;

/** @param keptDays Days that anything is kept; 0: changes stay. @returns How many were removed. */
export async function removeOldEntries(
  sql: Queryable,
  now: Date,
  keptDays = 0,
): Promise<number> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const refusals = await sql`
    delete from audit_log
    where at < ${before(REFUSAL_DAYS)} and (action like '%.refuse' or action = 'execution.kill')`;
  const access = await sql`
    delete from audit_log
    where at < ${before(ACCESS_DAYS)} and (action = 'account.sign_in' or action like 'token.%')`;
  if (keptDays === 0) return refusals.count + access.count;
  const all = await sql`delete from audit_log where at < ${before(keptDays)}`;
  return refusals.count + access.count + all.count;
}
