/**
 * Rows of sessions, which outlive them: an id whose session has ended answers "not found" until
 * `initialize` begins afresh, also after a restart.
 *
 * @module
 */
import type postgres from "postgres";
import type { Owner } from "../nodes/types.ts";

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

/** The session that an id has, or had last, whichever node it is at. */
export interface KnownSession {
  /** Which of the sessions that the id had in turn it has, or had last. */
  instance: string;
  /** Whether it still counts as one that there was. */
  isRecent: boolean;
  /** The node that holds it; null where none does. */
  owner: Owner | null;
}

/** Who takes a session, and of whom. */
export interface Taking {
  /** The node that holds it from now on. */
  node: string;
  /** Which of its id's sessions was the last, as far as that node knows; null: there was none. */
  seen: string | null;
}

/** Where rows are kept. */
export interface SessionStore {
  /** What there is of `id`; null: nothing. */
  find(id: string, now: Date): Promise<KnownSession | null>;
  /** Writes the row of a session that begins, in place of an earlier one with the same id. */
  begin(row: SessionRow, now: Date): Promise<void>;
  /**
   * Writes it where nodes share sessions: false when somebody was first, or the node is none any
   * more.
   */
  acquire(row: SessionRow, now: Date, taking: Taking): Promise<boolean>;
  /** Removes the row of a session that came to nothing. */
  forget(row: SessionRow): Promise<void>;
  /** Marks the session ended; does nothing when the id has begun another since. */
  end(row: SessionRow, reason: string, now: Date): Promise<void>;
  /** Says of the sessions with these instances that they live. */
  touch(instances: string[], now: Date): Promise<void>;
  /** Removes rows of sessions that ended too long ago, and the oldest beyond `most`. */
  prune(now: Date, most: number): Promise<void>;
}

interface Found {
  instance: string;
  isRecent: boolean;
  node: string | null;
  url: string;
  beat: number;
}

export function sessionStore(sql: postgres.Sql): SessionStore {
  return {
    async find(id, now) {
      const [row] = await sql<Found[]>`
        select s.instance, coalesce(s.ended_at, s.seen_at) > ${oldest(now)} as "isRecent",
          n.id as node, n.url, n.beat::float8 as beat
        from execution_sessions s left join nodes n on n.id = s.node and s.ended_at is null
        where s.id = ${id}`;
      if (row === undefined) return null;
      const { instance, isRecent, node, url, beat } = row;
      return { instance, isRecent, owner: node === null ? null : { id: node, url, beat } };
    },

    async begin(row, now) {
      await sql`
        insert into execution_sessions (id, instance, server, user_id, started_at, seen_at)
        values (${row.id}, ${row.instance}, ${row.server}, ${row.userId}, ${now}, ${now})
        on conflict (id) do update set instance = excluded.instance, server = excluded.server,
          user_id = excluded.user_id, started_at = excluded.started_at,
          seen_at = excluded.seen_at, ended_at = null, end_reason = null, node = null`;
    },

    async acquire(row, now, { node, seen }) {
      // The lock waits for, or keeps off, whoever takes this node for lost.
      const taken = await sql`
        insert into execution_sessions (id, instance, server, user_id, started_at, seen_at, node)
        select ${row.id}, ${row.instance}, ${row.server}, ${row.userId}, ${now}::timestamptz,
          ${now}::timestamptz, id
        from nodes where id = ${node} for key share
        on conflict (id) do update set instance = excluded.instance, server = excluded.server,
          user_id = excluded.user_id, started_at = excluded.started_at,
          seen_at = excluded.seen_at, ended_at = null, end_reason = null, node = excluded.node
        where execution_sessions.instance = ${seen}
        returning 1`;
      return taken.length > 0;
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
