/**
 * The audit log: who changed what, when, and in which request.
 *
 * @module
 */
import type { Queryable } from "../database/client.ts";

/** Actor of changes that Berth makes by itself. */
export const SYSTEM_ACTOR = "system";

/** An entry of the audit log that is to be written. */
export interface Change {
  /** Token subject, or {@link SYSTEM_ACTOR}. */
  actor: string;
  /** What was done, as `resource.verb`: `server.create`. */
  action: string;
  /** What it was done to, such as a server's name. */
  subject: string;
  requestId: string;
  at: Date;
  /** Facts that make the entry useful later; no secrets. */
  details?: Record<string, string | number | boolean | null | string[]>;
}

/** Records a change. Called in the transaction of the change, so that neither is without the other. */
export async function recordChange(sql: Queryable, change: Change): Promise<void> {
  await sql`
    insert into audit_log (at, actor, action, subject, request_id, details)
    values (${change.at}, ${change.actor}, ${change.action}, ${change.subject},
      ${change.requestId}, ${sql.json(change.details ?? {})})`;
}
