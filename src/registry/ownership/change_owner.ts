/**
 * Records that get another owner.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import type { Transaction } from "../../database/client.ts";
import { authorKey } from "../../names/namespaces.ts";
import { CHANGED_CHANNEL } from "../servers/store.ts";
import type { ServerRow } from "../servers/record.ts";

/** Who made a change, when, and in which request: for the audit log. */
export interface ChangeFacts {
  actor: string;
  requestId: string;
  at: Date;
}

/**
 * Gives the record of `row`, which is locked, to `to`, with `author` as its author, and records it.
 *
 * @param reason What made it change hands.
 */
export async function changeOwner(
  tx: Transaction,
  row: Pick<ServerRow, "name" | "owner" | "author">,
  change: { to: string; author: string; reason: "accepted" | "owner removed" },
  facts: ChangeFacts,
): Promise<void> {
  const { to, author, reason } = change;
  await tx`
    update servers set owner = ${to}, author = ${author}, author_key = ${authorKey(author)},
      updated_at = ${facts.at}, revision = revision + 1
    where name = ${row.name}`;
  // Who had it may not read it any more, where it is private.
  await tx`select pg_notify(${CHANGED_CHANNEL}, ${row.name})`;
  await recordChange(tx, {
    ...facts,
    action: "server.transfer",
    subject: row.name,
    details: {
      reason,
      from: row.owner,
      to,
      ...(author === row.author ? {} : { author, author_before: row.author }),
    },
  });
}
