/**
 * Who may change a record. The checks come before a request's body is looked at: a record that is
 * missing or another's is answered as such, whatever was sent.
 *
 * @module
 */
import { z } from "zod";
import type { Queryable } from "../../database/client.ts";
import type { AppError } from "../../errors.ts";
import type { Caller } from "../../identity/caller.ts";
import type { RegistryDeps } from "../deps.ts";
import { notYourAuthors, notYours, serverNotFound } from "../failures.ts";
import { mayRead } from "../../access/rule.ts";
import { type AuthorPolicy, checkAuthor, ownersOfAuthor } from "../../names/namespaces.ts";
import type { ServerRow } from "../servers/record.ts";
import { findRow } from "../servers/store.ts";

/** What use cases need of {@link RegistryDeps} to check access. */
export type AccessDeps = Pick<RegistryDeps, "sql"> & { policy: AuthorPolicy };

/** To whom a server must not be shown, it is not there: nothing of it is refused to them. */
async function hiddenOr(
  sql: Queryable,
  caller: Caller,
  name: string,
  refusal: AppError,
): Promise<AppError> {
  return await mayRead(sql, caller, name) ? refusal : serverNotFound(name);
}

/**
 * Checks that `caller` owns the record of `row` or is an administrator: what is asked of whoever
 * gives the server away or moves it to another author.
 *
 * @throws {AppError} `not_found` where `caller` may not read it, `forbidden`.
 */
export async function checkOwner(
  sql: Queryable,
  caller: Caller,
  row: Pick<ServerRow, "name" | "owner">,
): Promise<void> {
  if (caller.isAdmin || row.owner === caller.userId) return;
  throw await hiddenOr(sql, caller, row.name, notYours(row.name));
}

/** What decides who may change a record. */
type ChangeRow = Pick<ServerRow, "name" | "owner" | "author">;

/** Why `caller` may not change the record of `row`; null when nothing is against it. */
async function changeRefusal(
  sql: Queryable,
  policy: AuthorPolicy,
  caller: Caller,
  row: ChangeRow,
): Promise<AppError | null> {
  if (caller.isAdmin || row.owner === caller.userId) return null;
  const owners = policy.authorPolicy === "free" ? [] : await ownersOfAuthor(sql, row.author);
  const areSeveral = owners.length > 1 && owners.includes(row.owner);
  if (areSeveral && owners.includes(caller.userId)) return null;
  const refusal = areSeveral ? notYourAuthors(row.name, row.author) : notYours(row.name);
  return await hiddenOr(sql, caller, row.name, refusal);
}

/**
 * Checks that `caller` may change the record of `row`: its owner, an administrator, and, when its
 * owner publishes it under an author of several owners, each of those. A record whose owner does
 * not own the author (as under `AUTHOR_POLICY=free`) is its owner's alone.
 *
 * @throws {AppError} `not_found` where `caller` may not read it, `forbidden`, which requires what
 * suffices.
 */
export async function checkChange(
  sql: Queryable,
  policy: AuthorPolicy,
  caller: Caller,
  row: ChangeRow,
): Promise<void> {
  const refusal = await changeRefusal(sql, policy, caller, row);
  if (refusal !== null) throw refusal;
}

/** Whether {@link checkChange} lets `caller` change the record. */
export async function mayChange(
  sql: Queryable,
  policy: AuthorPolicy,
  caller: Caller,
  row: ChangeRow,
): Promise<boolean> {
  return await changeRefusal(sql, policy, caller, row) === null;
}

/** The record called `name`. @throws {AppError} `not_found`. */
export async function findExisting(sql: Queryable, name: string): Promise<ServerRow> {
  const row = await findRow(sql, name);
  if (row === null) throw serverNotFound(name);
  return row;
}

/**
 * The record called `name`, which `caller` may change.
 *
 * @throws {AppError} `not_found`, then `forbidden`.
 */
export async function findChangeable(
  deps: AccessDeps,
  caller: Caller,
  name: string,
): Promise<ServerRow> {
  const row = await findExisting(deps.sql, name);
  await checkChange(deps.sql, deps.policy, caller, row);
  return row;
}

/**
 * Checks that `caller` may give the server away.
 *
 * @throws {AppError} `not_found`, then `forbidden`.
 */
export async function authorizeOwner(
  deps: Pick<AccessDeps, "sql">,
  caller: Caller,
  name: string,
): Promise<void> {
  await checkOwner(deps.sql, caller, await findExisting(deps.sql, name));
}

/**
 * Checks that `caller` may move the record of `row` to `author`: an owner of the record, who must
 * also be able to publish under the new one.
 *
 * @throws {AppError} `forbidden`.
 */
export async function checkNewAuthor(
  sql: Queryable,
  policy: AuthorPolicy,
  caller: Caller,
  row: Pick<ServerRow, "name" | "owner" | "author">,
  author: string,
): Promise<void> {
  if (author === row.author) return;
  await checkOwner(sql, caller, row);
  await checkAuthor(sql, policy, author, row.owner);
}

const AuthorOnly = z.looseObject({ author: z.string().trim().min(1).max(100) });

/** The author that a body names, as far as it names one. */
function authorIn(body: unknown): string | null {
  const parsed = AuthorOnly.safeParse(body);
  return parsed.success && !parsed.data.author.includes("\0") ? parsed.data.author : null;
}

/**
 * Checks what may be checked of a creation before its body is validated.
 *
 * @param body The parsed JSON, whatever it is.
 * @throws {AppError} `forbidden` when it names an author that belongs to another user.
 */
export async function authorizeCreate(
  deps: AccessDeps,
  caller: Caller,
  body: unknown,
): Promise<void> {
  const author = authorIn(body);
  if (author !== null) await checkAuthor(deps.sql, deps.policy, author, caller.userId);
}

/**
 * Checks what may be checked of a change before its body is validated.
 *
 * @param body The parsed JSON of an update; nothing for a removal or a new scan.
 * @throws {AppError} `not_found`, then `forbidden`.
 */
export async function authorizeChange(
  deps: AccessDeps,
  caller: Caller,
  name: string,
  body?: unknown,
): Promise<void> {
  const row = await findChangeable(deps, caller, name);
  const author = authorIn(body);
  if (author !== null) await checkNewAuthor(deps.sql, deps.policy, caller, row, author);
}
