/**
 * The users and groups that owners name, who may read a private server.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import type { Queryable } from "../../database/client.ts";
import type { Caller } from "../../identity/caller.ts";
import { findByUsername } from "../../names/users.ts";
import type { RequestContext } from "../../request.ts";
import type { RegistryDeps } from "../deps.ts";
import { notAReader, serverNotFound, tooManyReaders, userNotFound } from "../failures.ts";
import { type AccessDeps, checkChange, findChangeable } from "../ownership/access.ts";
import { CHANGED_CHANNEL, findRow } from "../servers/store.ts";
import { READERS_MAX, type ServerAccess, type Visibility } from "../../access/schema.ts";

/** What changes of readers need of {@link RegistryDeps}. */
export type ReadersDeps = AccessDeps & Pick<RegistryDeps, "now">;

/** Who is named: a user by the username, or a group. */
export type Reader = { user: string } | { group: string };

interface ReadersRow {
  visibility: Visibility;
  readers: string[];
  reader_groups: string[];
}

async function readersOf(sql: Queryable, name: string): Promise<ReadersRow> {
  const [row] = await sql<ReadersRow[]>`
    select visibility, readers, reader_groups from servers where name = ${name}`;
  if (row === undefined) throw serverNotFound(name);
  return row;
}

async function accessOf(sql: Queryable, name: string): Promise<ServerAccess> {
  const { visibility, readers, reader_groups: groups } = await readersOf(sql, name);
  const users = await sql<{ username: string }[]>`
    select username from users where subject = any(${readers}) order by username`;
  return {
    visibility,
    users: users.map(({ username }) => username),
    groups: groups.toSorted(),
  };
}

/**
 * Who may read the server.
 *
 * @throws {AppError} `not_found`, `forbidden` for those who may not change it.
 */
export async function showAccess(
  deps: AccessDeps,
  caller: Caller,
  name: string,
): Promise<ServerAccess> {
  await findChangeable(deps, caller, name);
  return await accessOf(deps.sql, name);
}

/** The column that names such readers, and the value there. */
async function placeOf(sql: Queryable, reader: Reader) {
  if ("group" in reader) return { column: "reader_groups", value: reader.group } as const;
  const user = await findByUsername(sql, reader.user);
  if (user === null) throw userNotFound(reader.user);
  return { column: "readers", value: user.subject } as const;
}

/** What is done with a list of readers; null where nothing changes. */
type Change = (list: readonly string[], value: string) => string[] | null;

async function changeReaders(
  deps: ReadersDeps,
  caller: Caller,
  { name, reader, action }: { name: string; reader: Reader; action: string },
  change: Change,
  context: RequestContext,
): Promise<ServerAccess> {
  await findChangeable(deps, caller, name);
  const { column, value } = await placeOf(deps.sql, reader);
  return await deps.sql.begin(async (tx) => {
    const row = await findRow(tx, name, { lock: true });
    if (row === null) throw serverNotFound(name);
    await checkChange(tx, deps.policy, caller, row);
    const changed = change((await readersOf(tx, name))[column], value);
    if (changed === null) return await accessOf(tx, name);
    await tx`update servers set ${tx({ [column]: changed })} where name = ${name}`;
    // Sessions of those who may not read it any more end.
    await tx`select pg_notify(${CHANGED_CHANNEL}, ${name})`;
    await recordChange(tx, {
      actor: caller.userId,
      action,
      subject: name,
      requestId: context.requestId,
      at: deps.now(),
      details: "group" in reader ? { group: value } : { reader: value },
    });
    return await accessOf(tx, name);
  });
}

/**
 * Names a user or a group that may read the server while it is private.
 *
 * @throws {AppError} `not_found` for the server or the user, `forbidden`, `conflict` for too many.
 */
export async function addReader(
  deps: ReadersDeps,
  caller: Caller,
  name: string,
  reader: Reader,
  context: RequestContext,
): Promise<ServerAccess> {
  const action = "server.add_reader";
  return await changeReaders(deps, caller, { name, reader, action }, (list, value) => {
    if (list.includes(value)) return null;
    if (list.length >= READERS_MAX) throw tooManyReaders(READERS_MAX);
    return [...list, value];
  }, context);
}

/**
 * Takes a user or a group from those that may read the server.
 *
 * @throws {AppError} `not_found` for the server and for who is not named, `forbidden`.
 */
export async function removeReader(
  deps: ReadersDeps,
  caller: Caller,
  name: string,
  reader: Reader,
  context: RequestContext,
): Promise<ServerAccess> {
  const action = "server.remove_reader";
  return await changeReaders(deps, caller, { name, reader, action }, (list, value) => {
    if (!list.includes(value)) {
      throw notAReader(name, "group" in reader ? reader.group : reader.user);
    }
    return list.filter((one) => one !== value);
  }, context);
}
