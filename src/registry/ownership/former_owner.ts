/**
 * What happens to the servers of a user who stops owning an author name: they stay with the name.
 *
 * @module
 */
import type { Transaction } from "../../database/client.ts";
import { authorKey } from "../../names/namespaces.ts";
import { type ChangeFacts, changeOwner } from "./change_owner.ts";
import type { ServerRow } from "../servers/record.ts";
import { closeTransfers } from "./transfer_store.ts";

/**
 * Who gets the servers of `removed`: who removes, if an owner, else whoever has owned for longest.
 *
 * @param owners Subjects, the first owner first; at least one other than `removed`.
 */
export function successorOf(owners: readonly string[], removed: string, remover: string): string {
  const rest = owners.filter((owner) => owner !== removed);
  return rest.includes(remover) ? remover : rest[0]!;
}

/**
 * Passes the servers of `from` under `author`, whose row is locked, to `to`. Offers of them end.
 *
 * @returns Their names.
 */
export async function handOverServers(
  tx: Transaction,
  { author, from, to }: { author: string; from: string; to: string },
  facts: ChangeFacts,
): Promise<string[]> {
  const rows = await tx<Pick<ServerRow, "name" | "owner" | "author">[]>`
    select name, owner, author from servers
    where author_key = ${authorKey(author)} and owner = ${from}
    order by name for update`;
  await closeTransfers(tx, rows.map((row) => row.name), "cancelled");
  for (const row of rows) {
    await changeOwner(tx, row, { to, author: row.author, reason: "owner removed" }, facts);
  }
  return rows.map(({ name }) => name);
}
