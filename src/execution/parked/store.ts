/**
 * Rows of parked sessions in the database. Each is taken by one node alone, and is worth nothing once
 * its id has another session.
 *
 * @module
 */
import type { Queryable, Sql, Transaction } from "../../database/client.ts";
import { isWithin, parkedBytes, type StoreBounds } from "./bounds.ts";
import { insertParts, readParts } from "./parts.ts";

/** What says whose a stored session is, and where it can go on. */
export interface StoredRow {
  /** Value of Mcp-Session-Id. */
  id: string;
  /** Which of the sessions that the id had in turn. */
  instance: string;
  server: string;
  archiveSha256: string;
  userId: string | null;
  /** Whose session it is: `key` of a client. */
  client: string;
  /** The interpreter that it began in. */
  runtime: string;
  /** Digest of the image that it began with; null for none. */
  image: string | null;
  /** Key that it was sealed with. */
  keyId: string;
  /** When it ends for being idle. */
  expiresAt: Date;
}

/** What came of storing a session; `superseded`: it has ended, or its id has another. */
export type PutOutcome = "stored" | "full" | "superseded";

/** Who goes on with a stored session. */
export interface Taker {
  instance: string;
  /** The node that holds it from now on; null where nodes do not share sessions. */
  node: string | null;
}

/** What came of taking one; `gone`: another node was first, or it has ended. */
export type TakeOutcome = { kind: "taken"; sealed: Uint8Array<ArrayBuffer> } | { kind: "gone" };

/** Where rows are kept. */
export interface ParkedStore {
  find(id: string, now: Date): Promise<StoredRow | null>;
  put(row: StoredRow, sealed: Uint8Array, bounds: StoreBounds): Promise<PutOutcome>;
  /** Takes the session away for one who goes on with it. */
  take(row: StoredRow, taker: Taker, now: Date): Promise<TakeOutcome>;
  /** Removes the row, unless its id has another by now. */
  drop(row: Pick<StoredRow, "id" | "instance">): Promise<void>;
  /** Removes the sessions of a server, but for those with this archive. */
  dropServer(server: string, archiveSha256: string | null): Promise<void>;
  /** Removes what has expired, and what belongs to servers or sessions that are no more. */
  prune(now: Date): Promise<void>;
}

async function insert(tx: Transaction, row: StoredRow, sealed: Uint8Array): Promise<void> {
  await tx`
    insert into parked_sessions (id, instance, server, archive_sha256, user_id, client, runtime,
      image, key_id, size, expires_at)
    values (${row.id}, ${row.instance}, ${row.server}, ${row.archiveSha256}, ${row.userId},
      ${row.client}, ${row.runtime}, ${row.image}, ${row.keyId}, ${sealed.length},
      ${row.expiresAt})`;
  await insertParts(tx, "parked_session_parts", row.id, sealed);
}

/** The rows in the database of `sql`; none larger than `mostBytes` is read. */
export function parkedStore(sql: Sql, mostBytes: number): ParkedStore {
  const remove = async (on: Queryable, { id, instance }: Pick<StoredRow, "id" | "instance">) =>
    await on`delete from parked_sessions where id = ${id} and instance = ${instance}`;
  return {
    async find(id, now) {
      const [row] = await sql<StoredRow[]>`
        select id, instance, server, archive_sha256 as "archiveSha256", user_id as "userId",
          client, runtime, image, key_id as "keyId", expires_at as "expiresAt"
        from parked_sessions where id = ${id} and expires_at > ${now}`;
      return row ?? null;
    },

    put: (row, sealed, bounds) =>
      sql.begin(async (tx): Promise<PutOutcome> => {
        const current = await tx`
          select 1 from execution_sessions
          where id = ${row.id} and instance = ${row.instance} and ended_at is null for update`;
        if (current.length === 0) return "superseded";
        await tx`delete from parked_sessions where id = ${row.id}`;
        const parked = await parkedBytes(tx, row.client);
        if (!isWithin(parked, sealed.length, bounds)) return "full";
        await insert(tx, row, sealed);
        await tx`
          update execution_sessions set node = null where id = ${row.id} and node is not null`;
        return "stored";
      }),

    take: (row, { instance, node }, now) =>
      sql.begin(async (tx): Promise<TakeOutcome> => {
        if (node !== null) {
          const own = await tx`select 1 from nodes where id = ${node} for key share`;
          if (own.length === 0) return { kind: "gone" };
        }
        // In the order in which `put` takes them.
        const current = await tx`
          select 1 from execution_sessions
          where id = ${row.id} and instance = ${row.instance} and ended_at is null for update`;
        const [found] = await tx<{ size: number }[]>`
          select size::float8 as size from parked_sessions
          where id = ${row.id} and instance = ${row.instance} and expires_at > ${now} for update`;
        if (found === undefined) return { kind: "gone" };
        const isSound = found.size <= mostBytes;
        const sealed = isSound
          ? await readParts(tx, "parked_session_parts", row.id, found.size)
          : null;
        await remove(tx, row);
        // A row that was taken before, or whose session has ended, comes too late.
        if (sealed === null || current.length === 0) return { kind: "gone" };
        await tx`
          update execution_sessions
          set instance = ${instance}, seen_at = ${now}, node = ${node}
          where id = ${row.id}`;
        return { kind: "taken", sealed };
      }),

    async drop(row) {
      await remove(sql, row);
    },

    async dropServer(server, archiveSha256) {
      await sql`
        delete from parked_sessions
        where server = ${server} and archive_sha256 is distinct from ${archiveSha256}`;
    },

    async prune(now) {
      await sql`
        delete from parked_sessions p
        where expires_at <= ${now}
          or not exists (select 1 from servers s where s.name = p.server)
          or not exists (
            select 1 from execution_sessions e
            where e.id = p.id and e.instance = p.instance and e.ended_at is null)`;
    },
  };
}
