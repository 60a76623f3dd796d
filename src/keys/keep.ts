/**
 * Keeping a value for sessions of a server.
 *
 * @module
 */
import { recordChange } from "../audit/audit.ts";
import type { Queryable } from "../database/client.ts";
import type { Caller } from "../identity/caller.ts";
import type { RequestContext } from "../request.ts";
import { Connection } from "./connection.ts";
import type { KeysDeps } from "./deps.ts";
import {
  isConnected,
  noSuchVariable,
  notForEveryone,
  nothingKept,
  tooManyValues,
  valueRefused,
} from "./failures.ts";
import type { Place } from "./key_ring.ts";
import type { AUDIENCES, KeepValue } from "./schema.ts";
import { checkShown, serverTerms } from "./shown_terms.ts";
import { announceChange, putValue, termsOf } from "./store.ts";
import { valueFault } from "./variables.ts";

/** Most values of one user. */
const VALUES_MAX = 1000;

/**
 * Whose sessions are meant: the subject of a row.
 *
 * @throws {AppError} `forbidden` for values of all users by somebody who does not own the server.
 */
export function subjectOf(
  caller: Caller,
  audience: (typeof AUDIENCES)[number],
  { server, owner }: { server: string; owner: string },
): string | null {
  if (audience === "me") return caller.userId;
  if (caller.isAdmin || caller.userId === owner) return null;
  throw notForEveryone(server);
}

/** What the audit log calls a value: a user's own are nobody else's business. */
export function auditSubject(server: string, subject: string | null, name: string): string {
  return subject === null ? server : `${server}/${name}`;
}

/** @throws {AppError} `conflict` when the user has as many values as they may. */
export async function checkRoom(sql: Queryable, subject: string | null): Promise<void> {
  if (subject === null) return;
  const [row] = await sql<[{ values: number }]>`
    select count(*)::int as values from kept_values where subject = ${subject}`;
  if (row.values >= VALUES_MAX) throw tooManyValues(VALUES_MAX);
}

async function checkNotConnected(
  sql: Queryable,
  { server, subject, name }: Place,
): Promise<void> {
  const [row] = await sql<{ connection: unknown }[]>`
    select connection from kept_values
    where server = ${server} and subject is not distinct from ${subject} and name = ${name}
    for update`;
  const connection = Connection.nullable().parse(row?.connection ?? null);
  if (connection !== null) throw isConnected(name, connection.label);
}

/**
 * Keeps a value, in the place of an older one. Whoever does so agrees to what the server does with
 * it now, and to nothing else than what was `shown`.
 *
 * @throws {AppError} `not_found`, `forbidden`, `invalid_request`, `conflict` where nothing is kept,
 * or where the server has changed.
 */
export async function keepValue(
  { sql, now, ring }: KeysDeps,
  caller: Caller,
  { server, variable: name, shown }: { server: string; variable: string; shown?: string },
  input: KeepValue,
  context: RequestContext,
): Promise<void> {
  const terms = await serverTerms(sql, caller, server);
  checkShown(server, terms, shown);
  const subject = subjectOf(caller, input.for, { server, owner: terms.owner });
  if (ring === null) throw nothingKept();
  const variable = terms.variables.find((each) => each.name === name);
  if (variable === undefined && terms.isDeclared) throw noSuchVariable(server, name);
  const fault = valueFault(variable, input.value);
  if (fault !== null) throw valueRefused(name, fault);
  const place = { server, subject, name };
  const envelope = await ring.seal(place, input.value);
  const time = now();
  const agreed = { ...termsOf(terms, name), ...(subject === null ? { by: caller.userId } : {}) };
  await sql.begin(async (tx) => {
    await checkRoom(tx, subject);
    await checkNotConnected(tx, place);
    await putValue(tx, { place, envelope, terms: agreed, now: time });
    await announceChange(tx, { server, subject });
    await recordChange(tx, {
      actor: caller.userId,
      action: "keys.set",
      subject: auditSubject(server, subject, name),
      requestId: context.requestId,
      at: time,
      details: { variable: name, for: input.for },
    });
  });
}
