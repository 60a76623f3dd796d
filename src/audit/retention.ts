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

export async function removeOldEntries(sql: Queryable, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await sql`
    delete from audit_log
    where at < ${before(REFUSAL_DAYS)} and (action like '%.refuse' or action = 'execution.kill')`;
  await sql`
    delete from audit_log
    where at < ${before(ACCESS_DAYS)} and (action = 'account.sign_in' or action like 'token.%')`;
}
