/**
 * Transfer of a server to another user: its owner offers it, the recipient accepts or declines, and
 * until then the owner can take the offer back.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import type { Transaction } from "../../database/client.ts";
import type { Caller } from "../../identity/caller.ts";
import { findByUsername } from "../../names/users.ts";
import { checkReadable } from "../access/check.ts";
import { type AccessDeps, authorizeOwner, checkOwner, findExisting } from "./access.ts";
import type { RegistryDeps, RegistryPolicy } from "../deps.ts";
import {
  alreadyOffered,
  notOffered,
  notRecipient,
  offerClosed,
  ownsServer,
  serverChanging,
  serverNotFound,
  userNotFound,
} from "../failures.ts";
import { authorKey, lockAuthor, ownersOfAuthor } from "../../names/namespaces.ts";
import { changeOwner } from "./change_owner.ts";
import { detailOf, type ServerRow } from "../servers/record.ts";
import type { ServerDetail } from "../schema.ts";
import { findRow, findServer } from "../servers/store.ts";
import type { OfferTransfer, Transfer, Transfers } from "./transfer_schema.ts";
import {
  closeTransfers,
  findTransfer,
  isOpen,
  openTransfer,
  openTransfers,
  type StoredTransfer,
} from "./transfer_store.ts";
import type { RequestContext } from "../../request.ts";

/** What transfers need of {@link RegistryDeps}. */
export type TransferDeps = AccessDeps & Pick<RegistryDeps, "now"> & {
  policy: Pick<RegistryPolicy, "payments" | "capabilities">;
};

async function lockedRow(tx: Transaction, name: string): Promise<ServerRow> {
  const row = await findRow(tx, name, { lock: true });
  if (row === null) throw serverNotFound(name);
  return row;
}

async function recipientOf(deps: TransferDeps, username: string): Promise<string> {
  const user = await findByUsername(deps.sql, username);
  if (user === null) throw userNotFound(username);
  return user.subject;
}

/**
 * Offers a server to another user, for 14 days.
 *
 * @throws {AppError} `not_found` for the server or the recipient, `forbidden`, `invalid_request`
 * when the recipient already owns it, `conflict` when it is already on offer.
 */
export async function offerServer(
  deps: TransferDeps,
  caller: Caller,
  name: string,
  input: OfferTransfer,
  context: RequestContext,
): Promise<Transfer> {
  await authorizeOwner(deps, caller, name);
  const recipient = await recipientOf(deps, input.to);
  return await deps.sql.begin(async (tx) => {
    const row = await lockedRow(tx, name);
    await checkOwner(tx, caller, row);
    if (recipient === row.owner) throw ownsServer(input.to, name);
    const now = deps.now();
    if (isOpen(await findTransfer(tx, name), now)) throw alreadyOffered(name);
    await openTransfer(tx, name, recipient, now);
    await recordChange(tx, {
      actor: caller.userId,
      action: "server.offer",
      subject: name,
      requestId: context.requestId,
      at: now,
      details: { from: row.owner, to: recipient },
    });
    return (await openTransfers(tx, { server: name }, now))[0]!;
  });
}

/** The open offers to and of the caller. */
export async function listTransfers(
  deps: Pick<TransferDeps, "sql" | "now">,
  { userId }: Pick<Caller, "userId">,
): Promise<Transfers> {
  const now = deps.now();
  return {
    incoming: await openTransfers(deps.sql, { recipient: userId }, now),
    outgoing: await openTransfers(deps.sql, { owner: userId }, now),
  };
}

/**
 * Takes back the offer of a server.
 *
 * @throws {AppError} `not_found`, `forbidden`, `conflict` when it is not on offer.
 */
export async function cancelOffer(
  deps: TransferDeps,
  caller: Caller,
  name: string,
  context: RequestContext,
): Promise<void> {
  await authorizeOwner(deps, caller, name);
  await deps.sql.begin(async (tx) => {
    await checkOwner(tx, caller, await lockedRow(tx, name));
    const now = deps.now();
    const offer = await findTransfer(tx, name);
    if (!isOpen(offer, now)) throw notOffered(name);
    await closeTransfers(tx, [name], "cancelled");
    await recordChange(tx, {
      actor: caller.userId,
      action: "server.offer_cancel",
      subject: name,
      requestId: context.requestId,
      at: now,
      details: { to: offer!.recipient },
    });
  });
}

/** Whoever is not the recipient of the last offer learns nothing about it, not even that it is. */
function checkRecipient(caller: Caller, name: string, offer: StoredTransfer | null): void {
  if (offer?.recipient !== caller.userId) throw notRecipient(name);
}

function checkOpen(offer: StoredTransfer, now: Date): void {
  if (!isOpen(offer, now)) throw offerClosed(offer.server, offer.state);
}

/**
 * Checks that the server's last offer is to `caller`.
 *
 * @throws {AppError} `not_found`, then `forbidden`.
 */
async function authorizeRecipient(
  deps: Pick<TransferDeps, "sql">,
  caller: Caller,
  name: string,
): Promise<void> {
  await checkReadable(deps.sql, caller, name);
  checkRecipient(caller, name, await findTransfer(deps.sql, name));
}

/** The offer to `caller` that is open, with the server's row, which is locked. */
async function lockedOffer(tx: Transaction, caller: Caller, name: string, now: Date) {
  const row = await lockedRow(tx, name);
  const offer = await findTransfer(tx, name);
  checkRecipient(caller, name, offer);
  checkOpen(offer!, now);
  return row;
}

/**
 * Declines the offer of a server.
 *
 * @throws {AppError} `not_found`, `forbidden`, `conflict` when the offer is no longer open.
 */
export async function declineOffer(
  deps: TransferDeps,
  caller: Caller,
  name: string,
  context: RequestContext,
): Promise<void> {
  await authorizeRecipient(deps, caller, name);
  await deps.sql.begin(async (tx) => {
    const now = deps.now();
    await lockedOffer(tx, caller, name, now);
    await closeTransfers(tx, [name], "declined");
    await recordChange(tx, {
      actor: caller.userId,
      action: "server.offer_decline",
      subject: name,
      requestId: context.requestId,
      at: now,
    });
  });
}

/** The author under which `caller` goes on with a server: nobody publishes as somebody else. */
async function authorFor(
  tx: Transaction,
  deps: TransferDeps,
  caller: Caller,
  author: string,
): Promise<string> {
  if (deps.policy.authorPolicy === "free") return author;
  return (await ownersOfAuthor(tx, author)).includes(caller.userId) ? author : caller.username;
}

/**
 * Accepts the offer of a server: the caller owns it from now on. The author stays when the caller
 * owns that name too, and is the caller's username otherwise.
 *
 * @returns The record as it is now.
 * @throws {AppError} `not_found`, `forbidden`, `conflict` when the offer is no longer open.
 */
export async function acceptOffer(
  deps: TransferDeps,
  caller: Caller,
  name: string,
  context: RequestContext,
): Promise<ServerDetail> {
  await authorizeRecipient(deps, caller, name);
  return await deps.sql.begin(async (tx) => {
    const { author } = await findExisting(tx, name);
    // Before the record, in the order in which a change of a name's owners takes them.
    await lockAuthor(tx, author, { shared: true });
    const now = deps.now();
    const row = await lockedOffer(tx, caller, name, now);
    if (authorKey(row.author) !== authorKey(author)) throw serverChanging(name);
    await closeTransfers(tx, [name], "accepted");
    const facts = { actor: caller.userId, requestId: context.requestId, at: now };
    const to = { to: caller.userId, author: await authorFor(tx, deps, caller, author) };
    await changeOwner(tx, row, { ...to, reason: "accepted" }, facts);
    return detailOf((await findServer(tx, name))!, deps.policy);
  });
}
