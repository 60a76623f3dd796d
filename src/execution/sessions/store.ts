/**
 * Rows of sessions, which outlive them: an id whose session has ended answers "not found" until
 * `initialize` begins afresh, also after a restart.
 *
 * @module
 */
import type postgres from "postgres";

/** Hours a row outlives its session. */
const ROW_HOURS = 24;
/** Most rows that are kept; beyond it the rows of the sessions that ended first go. */
export const ROWS_MAX = 100_000;

export interface SessionRow {
  /** Value of Mcp-Session-Id. */
  id: string;
  /** Which of the sessions that the id had in turn. */
  instance: string;
  server: string;
  userId: string | null;
}

/** Where rows are kept. */
export interface SessionStore {
  /** Whether there is a row for `id`, young enough to count. */
  has(id: string, now: Date): Promise<boolean>;
  /** Writes the row of a session that begins, in place of an earlier one with the same id. */
  begin(row: SessionRow, now: Date): Promise<void>;
  /** Removes the row of a session that came to nothing. */
  forget(row: SessionRow): Promise<void>;
  /** Marks the session ended; does nothing when the id has begun another since. */
  end(row: SessionRow, reason: string, now: Date): Promise<void>;
  /** Says of the sessions with these instances that they live. */
  touch(instances: string[], now: Date): Promise<void>;
  /** Removes rows of sessions that ended too long ago, and the oldest beyond `most`. */
  prune(now: Date, most: number): Promise<void>;
}

export function sessionStore(sql: postgres.Sql): SessionStore {
  return {
    async has(id, now) {
      const found = await sql`
        select 1 from execution_sessions
        where id = ${id} and coalesce(ended_at, seen_at) > ${oldest(now)}`;
      return found.length > 0;
    },

    async begin(row, now) {
      await sql`
        insert into execution_sessions (id, instance, server, user_id, started_at, seen_at)
        values (${row.id}, ${row.instance}, ${row.server}, ${row.userId}, ${now}, ${now})
        on conflict (id) do update set instance = excluded.instance, server = excluded.server,
          user_id = excluded.user_id, started_at = excluded.started_at,
          seen_at = excluded.seen_at, ended_at = null, end_reason = null`;
    },

    async forget(row) {
      await sql`
        delete from execution_sessions where id = ${row.id} and instance = ${row.instance}`;
    },

    async end(row, reason, now) {
      await sql`
        update execution_sessions set ended_at = ${now}, seen_at = ${now}, end_reason = ${reason}
        where id = ${row.id} and instance = ${row.instance}`;
    },

    async touch(instances, now) {
      if (instances.length === 0) return;
      await sql`
        update execution_sessions set seen_at = ${now}
        where instance = any(${instances}::uuid[]) and ended_at is null`;
    },

    async prune(now, most) {
      await sql`
        delete from execution_sessions where coalesce(ended_at, seen_at) <= ${oldest(now)}`;
      await sql`
        delete from execution_sessions
        where (select count(*) from execution_sessions) > ${most} and id in (
          select id from execution_sessions
          order by (ended_at is null) desc, coalesce(ended_at, seen_at) desc offset ${most}
        )`;
    },
  };
}

function oldest(now: Date): Date {
  return new Date(now.getTime() - ROW_HOURS * 3_600_000);
}
