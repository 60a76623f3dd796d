/**
 * Who may read a server: the one place that says it. Whatever shows something of servers asks here,
 * with a condition for its statement or by a server's name.
 *
 * @module
 */
import type { Queryable } from "../database/client.ts";

/** Who reads; null: somebody who is not signed in. */
export type Viewer = {
  /** Token subject. */
  userId: string;
  isAdmin: boolean;
} | null;

/** Berth itself, which reads all. */
export const BERTH: Viewer = { userId: "", isAdmin: true };

/**
 * Whether `viewer` may read the server of the row of `servers`, as a condition: a public one; signed
 * in, an internal one; a private one of their own, under an author name that they share with its
 * owner, that is on offer to them, or for which they or a group of theirs are named. Administrators
 * read all.
 */
export function readable(sql: Queryable, viewer: Viewer) {
  if (viewer === null) return sql`servers.visibility = 'public'`;
  if (viewer.isAdmin) return sql`true`;
  const { userId } = viewer;
  return sql`(servers.visibility <> 'private' or servers.owner = ${userId}
    or servers.readers @> array[${userId}]::text[]
    or servers.reader_groups && (select groups from users where subject = ${userId})
    or exists (
      select from namespace_owners mine join namespace_owners theirs using (author_key)
      where mine.author_key = servers.author_key and mine.owner = ${userId}
        and theirs.owner = servers.owner)
    or exists (
      select from server_transfers
      where server = servers.name and recipient = ${userId} and state = 'open'
        and expires_at > now()))`;
}

const NAME = /^[a-z0-9-]{1,64}$/;

/** Whether `viewer` may read the server of this name; false where there is none. */
export async function mayRead(sql: Queryable, viewer: Viewer, name: string): Promise<boolean> {
  // What cannot be a name is not looked for: PostgreSQL refuses texts with NUL.
  if (!NAME.test(name)) return false;
  const rows = await sql`select from servers where name = ${name} and ${readable(sql, viewer)}`;
  return rows.length > 0;
}

/** Of these names, those of servers that `viewer` may read. */
export async function readableAmong(
  sql: Queryable,
  viewer: Viewer,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ name: string }[]>`
    select name from servers where name = any(${[...names]}) and ${readable(sql, viewer)}`;
  return new Set(rows.map(({ name }) => name));
}
