/**
 * Rows of nodes in the database.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import type { Peer } from "./types.ts";

/** What a node says of itself when it joins. */
export type Joining = Omit<Peer, "beat">;

/** The table of nodes, as one of them reaches it. */
export interface NodeStore {
  /** Adds a node in place of its former run. */
  join(node: Joining, former: string | null): Promise<void>;
  /** Raises the node's beat, which renews all that it holds. @returns The beat; null: it is lost. */
  raiseBeat(id: string): Promise<number | null>;
  list(): Promise<Peer[]>;
  find(id: string): Promise<Peer | null>;
  /** Removes a node that has not moved on from its beat. @returns Whether it was there. */
  removeLost(peer: Pick<Peer, "id" | "beat">): Promise<boolean>;
  /** Removes a node that ends. */
  leave(id: string): Promise<void>;
  /** Ends the connections. */
  close(): Promise<void>;
}

const CLOSE_SECONDS = 1;

/** The nodes in the database of `sql`, which is this store's alone. */
export function nodeStore(sql: Sql): NodeStore {
  async function select(id: string | null): Promise<Peer[]> {
    const rows = await sql<Peer[]>`
      select id, url, public_key as "publicKey", beat::float8 as beat, lease_ms as "leaseMs"
      from nodes where ${id}::uuid is null or id = ${id}`;
    return rows.map((row) => ({ ...row, publicKey: new Uint8Array(row.publicKey) }));
  }
  return {
    async join(node, former) {
      await sql.begin(async (tx) => {
        if (former !== null) await tx`delete from nodes where id = ${former}`;
        await tx`
          insert into nodes (id, url, public_key, lease_ms)
          values (${node.id}, ${node.url}, ${node.publicKey}, ${node.leaseMs})`;
      });
    },

    async raiseBeat(id) {
      const [row] = await sql<{ beat: number }[]>`
        update nodes set beat = beat + 1 where id = ${id} returning beat::float8 as beat`;
      return row?.beat ?? null;
    },

    list: () => select(null),

    async find(id) {
      const [found] = await select(id);
      return found ?? null;
    },

    async removeLost({ id, beat }) {
      const removed = await sql`delete from nodes where id = ${id} and beat = ${beat} returning 1`;
      return removed.length > 0;
    },

    async leave(id) {
      await sql`delete from nodes where id = ${id}`;
    },

    async close() {
      await sql.end({ timeout: CLOSE_SECONDS });
    },
  };
}
