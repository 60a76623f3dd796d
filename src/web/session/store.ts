/**
 * The table of browser sessions.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";

export interface SessionRow {
  id: string;
  subject: string;
  tokens: Uint8Array;
  token_expires_at: Date;
  version: number;
  /** Until when a refresh that was begun may take; null while there is none. */
  refreshing_until: Date | null;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
}

export async function insertSession(
  sql: Queryable,
  row: Omit<SessionRow, "version" | "refreshing_until">,
): Promise<void> {
  await sql`insert into web_sessions ${sql({ ...row, tokens: row.tokens as never })}`;
}

/** The session of this id that has not expired; null when there is none. */
export async function findSession(
  sql: Queryable,
  id: string,
  now: Date,
): Promise<SessionRow | null> {
  const [row] = await sql<SessionRow[]>`
    select id, subject, tokens, token_expires_at, version, refreshing_until, created_at,
      last_used_at, expires_at
    from web_sessions where id = ${id} and expires_at > ${now}`;
  return row ?? null;
}

/** Takes note of a use, which puts the end off. */
export async function touchSession(
  sql: Queryable,
  id: string,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    update web_sessions set last_used_at = ${now}, expires_at = ${expiresAt} where id = ${id}`;
}

/** Begins the refresh of version `version` for whoever asks first; false for the others. */
export async function takeRefresh(
  sql: Queryable,
  { id, version }: Pick<SessionRow, "id" | "version">,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const taken = await sql`
    update web_sessions set refreshing_until = ${until}
    where id = ${id} and version = ${version}
      and (refreshing_until is null or refreshing_until <= ${now})
    returning 1`;
  return taken.length > 0;
}

/** Ends a refresh that gave nothing. */
export async function dropRefresh(sql: Queryable, id: string): Promise<void> {
  await sql`update web_sessions set refreshing_until = null where id = ${id}`;
}

/** Ends a refresh: the next version of what the session holds. */
export async function storeRefresh(
  sql: Queryable,
  id: string,
  { tokens, expiresAt }: { tokens: Uint8Array; expiresAt: Date },
): Promise<void> {
  await sql`
    update web_sessions set tokens = ${tokens as never}, token_expires_at = ${expiresAt},
      version = version + 1, refreshing_until = null
    where id = ${id}`;
}

export async function deleteSession(sql: Queryable, id: string): Promise<void> {
  await sql`delete from web_sessions where id = ${id}`;
}

export async function endWebSessions(sql: Queryable, subject: string): Promise<void> {
  await sql`delete from web_sessions where subject = ${subject}`;
}

export async function removeExpired(sql: Queryable, now: Date): Promise<void> {
  await sql`delete from web_sessions where expires_at <= ${now}`;
}
