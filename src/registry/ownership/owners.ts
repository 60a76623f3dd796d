/**
 * Author names with several owners, for organisations: an owner invites a user, who accepts or
 * declines; owners leave or are removed. One always stays.
 *
 * @module
 */
import { RIGHTS_CHANNEL } from "../../access/channel.ts";
import { recordChange } from "../../audit/audit.ts";
import type { Transaction } from "../../database/client.ts";
import type { Caller } from "../../identity/caller.ts";
import { findByUsername, type User } from "../../names/users.ts";
import type { AccessDeps } from "./access.ts";
import type { RegistryDeps } from "../deps.ts";
import {
  authorIsUsername,
  authorNotFound,
  invitationClosed,
  neitherOwnerNorInvitee,
  notInvited,
  notYourAuthor,
  onlyOwner,
  ownsAuthor,
  tooManyOwners,
  userNotFound,
} from "../failures.ts";
import { dropInvitation, openInvitations, putInvitation } from "./invitations.ts";
import { authorKey, isUsername, lockAuthor, ownersOfAuthor } from "../../names/namespaces.ts";
import { authorsOf, findAuthor, ownersOf } from "./owners_list.ts";
import type { AuthorOwners, OwnAuthors, OwnerInvitation } from "./owners_schema.ts";
import { handOverServers, successorOf } from "./former_owner.ts";
import type { RequestContext } from "../../request.ts";

/** What changes of owners need of {@link RegistryDeps}. */
export type OwnersDeps = AccessDeps & Pick<RegistryDeps, "now">;

/** A name has at most this many owners and open invitations. */
const MAX_OWNERS = 100;

async function checkOwns(sql: OwnersDeps["sql"] | Transaction, caller: Caller, author: string) {
  if (caller.isAdmin || (await ownersOfAuthor(sql, author)).includes(caller.userId)) return;
  throw notYourAuthor(author);
}

/**
 * Checks that `caller` is an owner of `author`, or an administrator.
 *
 * @returns The name as it was first written.
 * @throws {AppError} `not_found`, then `forbidden`.
 */
async function authorizeAuthor(
  deps: Pick<OwnersDeps, "sql">,
  caller: Caller,
  author: string,
): Promise<string> {
  const name = await findAuthor(deps.sql, author);
  if (name === null) throw authorNotFound(author);
  await checkOwns(deps.sql, caller, name);
  return name;
}

/** The owners of `author` and the open invitations. @throws {AppError} As {@link authorizeAuthor}. */
export async function listOwners(
  deps: Pick<OwnersDeps, "sql" | "now">,
  caller: Caller,
  author: string,
): Promise<AuthorOwners> {
  return await ownersOf(deps.sql, await authorizeAuthor(deps, caller, author), deps.now());
}

/** The author names that `caller` owns or is invited to own. */
export async function listAuthors(
  deps: Pick<OwnersDeps, "sql" | "now">,
  caller: Caller,
): Promise<OwnAuthors> {
  return await authorsOf(deps.sql, caller.userId, deps.now());
}

async function namedUser(deps: OwnersDeps, username: string): Promise<User> {
  const user = username.includes("\0") || !username.isWellFormed()
    ? null
    : await findByUsername(deps.sql, username);
  if (user !== null) return user;
  throw userNotFound(username);
}

/** @throws {AppError} `conflict` when `author` is a username. Its row is locked. */
async function checkShared(tx: Transaction, author: string): Promise<void> {
  if (await isUsername(tx, author)) throw authorIsUsername(author);
}

/**
 * Invites a user to own `author`, for 14 days. An invitation that is open is renewed.
 *
 * @throws {AppError} `not_found` for the name or the user, `forbidden`, `conflict` when the user owns
 * the name already, when it is a username, or has too many owners.
 */
export async function inviteOwner(
  deps: OwnersDeps,
  caller: Caller,
  author: string,
  username: string,
  context: RequestContext,
): Promise<OwnerInvitation> {
  const name = await authorizeAuthor(deps, caller, author);
  const invitee = await namedUser(deps, username);
  const now = deps.now();
  await deps.sql.begin(async (tx) => {
    await lockAuthor(tx, name);
    await checkOwns(tx, caller, name);
    const owners = await ownersOfAuthor(tx, name);
    if (owners.includes(invitee.subject)) throw ownsAuthor(username, name);
    await checkShared(tx, name);
    const others = (await openInvitations(tx, name, now))
      .filter((invitation) => invitation.invitee !== invitee.subject);
    if (owners.length + others.length >= MAX_OWNERS) throw tooManyOwners(name, MAX_OWNERS);
    const invitation = { author: name, invitee: invitee.subject, inviter: caller.userId };
    await putInvitation(tx, invitation, now);
    await recordChange(tx, {
      actor: caller.userId,
      action: "author.invite",
      subject: authorKey(name),
      requestId: context.requestId,
      at: now,
      details: { invitee: invitee.subject },
    });
  });
  const { invitations } = await ownersOf(deps.sql, name, now);
  const shown = invitations.find((invitation) => invitation.username === invitee.username);
  if (shown !== undefined) return shown;
  throw invitationClosed();
}

async function authorizeAnswer(
  deps: OwnersDeps,
  caller: Caller,
  author: string,
): Promise<string> {
  const name = await findAuthor(deps.sql, author);
  if (name === null) throw authorNotFound(author);
  const open = await openInvitations(deps.sql, name, deps.now());
  if (open.some(({ invitee }) => invitee === caller.userId)) return name;
  throw notInvited(name);
}

/**
 * Accepts or declines the invitation of `caller` to own `author`.
 *
 * @throws {AppError} `not_found`, `forbidden` without an open invitation, `conflict` when the name
 * has become a username.
 */
export async function answerInvitation(
  deps: OwnersDeps,
  caller: Caller,
  author: string,
  answer: "accept" | "decline",
  context: RequestContext,
): Promise<string> {
  const name = await authorizeAnswer(deps, caller, author);
  await deps.sql.begin(async (tx) => {
    await lockAuthor(tx, name);
    const now = deps.now();
    if (!await dropInvitation(tx, name, caller.userId, now)) throw notInvited(name);
    if (answer === "accept") {
      await checkShared(tx, name);
      await tx`
        insert into namespace_owners (author_key, owner, created_at)
        values (${authorKey(name)}, ${caller.userId}, ${now})`;
    }
    await recordChange(tx, {
      actor: caller.userId,
      action: `author.${answer}`,
      subject: authorKey(name),
      requestId: context.requestId,
      at: now,
    });
  });
  return name;
}

async function removeIn(
  tx: Transaction,
  deps: OwnersDeps,
  caller: Caller,
  author: string,
  user: User,
  context: RequestContext,
): Promise<void> {
  await lockAuthor(tx, author);
  await checkOwns(tx, caller, author);
  const owners = await ownersOfAuthor(tx, author);
  const facts = { actor: caller.userId, requestId: context.requestId, at: deps.now() };
  const change = { ...facts, subject: authorKey(author), details: { user: user.subject } };
  if (await dropInvitation(tx, author, user.subject, facts.at)) {
    await recordChange(tx, { ...change, action: "author.withdraw" });
    return;
  }
  if (!owners.includes(user.subject)) throw neitherOwnerNorInvitee(user.username, author);
  if (owners.length === 1) throw onlyOwner(user.username, author);
  await tx`
    delete from namespace_owners
    where author_key = ${authorKey(author)} and owner = ${user.subject}`;
  await tx`select pg_notify(${RIGHTS_CHANNEL}, ${user.subject})`;
  await recordChange(tx, { ...change, action: "author.remove_owner" });
  if (deps.policy.authorPolicy === "free") return;
  const successor = successorOf(owners, user.subject, caller.userId);
  await handOverServers(tx, { author, from: user.subject, to: successor }, facts);
}

/**
 * Takes away a user's part in `author`: an open invitation, or ownership. The servers that the user
 * has under the name stay with it: they pass on to the owner who does this, else to the one who has
 * owned it for longest.
 *
 * @returns The name as it was first written.
 * @throws {AppError} `not_found` for the name or the user, `forbidden`, `conflict` for the last owner.
 */
export async function removeOwner(
  deps: OwnersDeps,
  caller: Caller,
  author: string,
  username: string,
  context: RequestContext,
): Promise<string> {
  const name = await authorizeAuthor(deps, caller, author);
  const user = await namedUser(deps, username);
  await deps.sql.begin((tx) => removeIn(tx, deps, caller, name, user, context));
  return name;
}
