/**
 * Leaving: what a user has here goes, and what others depend on goes on with them.
 *
 * @module
 */
import { recordChange } from "../audit/audit.ts";
import type { Transaction } from "../database/client.ts";
import { revokeEverything } from "../identity/api_tokens/revoke.ts";
import type { Caller } from "../identity/caller.ts";
import { announceChange } from "../keys/store.ts";
import { leaveAuthors } from "../names/namespaces.ts";
import { handOverServers, successorOf } from "../registry/ownership/former_owner.ts";
import { endRefused } from "../registry/scanning/scans.ts";
import { removeRecord } from "../registry/servers/remove.ts";
import { removeUnusedArchives } from "../repository/archives.ts";
import type { RequestContext } from "../request.ts";
import type { AccountDeps } from "./deps.ts";
import { notByApiToken, notByApplication, notConfirmed, ownerDeleted } from "./failures.ts";
import type { DeletedAccount } from "./schema.ts";

/** On this channel every node hears of users who have left, by their ids. */
export const LEFT_CHANNEL = "berth_user_left";

/** Servers under names with other owners go to those, as when an owner leaves. @returns Their names. */
async function passOn(
  tx: Transaction,
  { policy }: AccountDeps,
  userId: string,
  facts: { actor: string; requestId: string; at: Date },
): Promise<string[]> {
  const shared = await leaveAuthors(tx, userId);
  // Where names are free, a server is its owner's alone.
  if (policy.authorPolicy === "free") return [];
  const passed: string[] = [];
  for (const { author, owners } of shared) {
    const to = successorOf(owners, userId, userId);
    passed.push(...await handOverServers(tx, { author, from: userId, to }, facts));
  }
  return passed;
}

/** Removes the servers that are left. @returns Their names. */
async function removeServers(
  tx: Transaction,
  deps: AccountDeps,
  caller: Caller,
  context: RequestContext,
): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select name from servers where owner = ${caller.userId} order by name`;
  for (const { name } of rows) await removeRecord(tx, deps, caller, name, context);
  return rows.map(({ name }) => name);
}

/** Removes what is kept of keys and of clients at services, also what the user gave to everyone; sessions lose it. */
async function removeKeys(tx: Transaction, userId: string): Promise<void> {
  const rows = await tx<{ server: string; subject: string | null }[]>`
    delete from kept_values
    where subject = ${userId} or subject is null and terms->>'by' = ${userId}
    returning server, subject`;
  for (const change of rows) await announceChange(tx, change);
  // Also those at services of servers that others go on with, which get none of their secrets.
  await tx`delete from service_clients where owner = ${userId}`;
}

async function removeUser(tx: Transaction, userId: string): Promise<void> {
  await tx`
    update servers set readers = array_remove(readers, ${userId}) where readers @> array[${userId}]`;
  await tx`delete from server_transfers where recipient = ${userId}`;
  await tx`delete from parked_sessions where user_id = ${userId}`;
  await tx`delete from api_tokens where owner = ${userId}`;
  // Links and identities go with it.
  await tx`delete from issuer_accounts where id = ${userId}`;
  await tx`delete from users where subject = ${userId}`;
  await tx`select pg_notify(${LEFT_CHANNEL}, ${userId})`;
}

function checkOwnClient({ ownClients }: AccountDeps, { clientId }: Caller): void {
  if (ownClients === null || clientId === undefined || ownClients.includes(clientId)) return;
  throw notByApplication();
}

async function checkNoApiToken(tx: Transaction, { tokenDigest }: Caller): Promise<void> {
  const rows = await tx`select from api_tokens where digest = ${tokenDigest}`;
  if (rows.length > 0) throw notByApiToken();
}

/**
 * Deletes the caller's account, with the servers that nobody else owns. Author names that nobody else
 * owns, the username among them, stay taken for good. Payments and the audit log are kept.
 *
 * @param username What the caller typed to confirm it.
 * @throws {AppError} `invalid_request` when that is not the username, `forbidden` for API tokens
 * and applications of others.
 */
export async function deleteAccount(
  deps: AccountDeps,
  caller: Caller,
  username: string,
  context: RequestContext,
): Promise<DeletedAccount> {
  checkOwnClient(deps, caller);
  if (username !== caller.username) throw notConfirmed();
  const at = deps.now();
  const facts = { actor: caller.userId, requestId: context.requestId, at };
  const { denials, passedOn, removed } = await deps.sql.begin(async (tx) => {
    await checkNoApiToken(tx, caller);
    // Scans before names and records, in the order in which a scan that ends takes them.
    await endRefused(tx, { owner: caller.userId }, ownerDeleted(), at);
    const passedOn = await passOn(tx, deps, caller.userId, facts);
    const removed = await removeServers(tx, deps, caller, context);
    await removeKeys(tx, caller.userId);
    const { denials } = await revokeEverything(tx, deps, caller, at);
    await removeUser(tx, caller.userId);
    await recordChange(tx, {
      ...facts,
      action: "user.delete",
      subject: caller.username,
      details: { servers: removed.length, passed_on: passedOn.length },
    });
    return { denials, passedOn, removed };
  });
  denials.forEach(deps.denied.add);
  for (const name of removed) await deps.endSessions(name);
  await removeUnusedArchives(deps.sql);
  return { removed, passed_on: passedOn };
}
