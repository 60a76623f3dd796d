/**
 * Kept values of a user, without the values.
 *
 * @module
 */
import type { Queryable } from "../database/client.ts";
import { Connection, isFor, isSpent } from "./connection.ts";
import { readableAmong, type Viewer } from "../access/rule.ts";
import type { KeysDeps } from "./deps.ts";
import { serverTerms } from "./shown_terms.ts";
import type { KeptKey } from "./schema.ts";
import { findTerms, isAgreed, type ListedRow, type ServerTerms, Terms, termsOf } from "./store.ts";

/** What whoever entered the value agreed to, what the server asks for now, and what follows. */
export function standingOf(
  row: Pick<ListedRow, "name" | "terms" | "key_id" | "connection">,
  server: ServerTerms,
  { ids, now }: { ids: readonly string[]; now: Date },
): { agreed: Terms; asked: Terms; connection: Connection | null; state: KeptKey["state"] } {
  const agreed = Terms.parse(row.terms);
  const asked = termsOf(server, row.name);
  const connection = Connection.nullable().parse(row.connection);
  const standing = { agreed, asked, connection };
  if (!ids.includes(row.key_id)) return { ...standing, state: "unreadable" };
  if (connection !== null) {
    const service = server.variables.find(({ name }) => name === row.name)?.oauth ?? null;
    if (!isFor(connection, service) || isSpent(connection, now)) {
      return { ...standing, state: "reconnect" };
    }
  }
  return { ...standing, state: isAgreed(agreed, asked) ? "ready" : "changed" };
}

function keyOf(
  row: ListedRow,
  server: ServerTerms,
  { userId, ...at }: { ids: readonly string[]; now: Date; userId: string },
): KeptKey {
  const { agreed, asked, connection, state } = standingOf(row, server, at);
  return {
    server: row.server,
    variable: row.name,
    for: row.subject === null ? "everyone" : "me",
    yours: row.subject !== null || agreed.by === userId,
    state,
    delivery: agreed.delivery,
    hosts: agreed.hosts,
    asked: state === "changed" ? { delivery: asked.delivery, hosts: asked.hosts } : null,
    connection: connection && {
      service: connection.label,
      scopes: connection.granted ?? connection.scopes,
      expires_at: connection.expires_at,
      renews: connection.renews,
    },
    set_at: row.set_at.toISOString(),
    last_used_at: row.used_at?.toISOString() ?? null,
  };
}

async function keysOf(
  { sql, ring, now }: KeysDeps,
  rows: readonly ListedRow[],
  caller: NonNullable<Viewer>,
): Promise<KeptKey[]> {
  const names = [...new Set(rows.map(({ server }) => server))];
  const servers = await findTerms(sql, names);
  const readable = await readableAmong(sql, caller, names);
  const at = { ids: ring?.ids ?? [], now: now(), userId: caller.userId };
  return rows.flatMap((row) => {
    const server = servers.get(row.server);
    if (server === undefined) return [];
    const key = keyOf(row, server, at);
    // What the server asks for now is not for those who may not read it any more.
    return [readable.has(row.server) ? key : { ...key, asked: null }];
  });
}

function columns(sql: Queryable) {
  return sql`server, subject, name, key_id, terms, connection, set_at, used_at`;
}

/** Everything that the caller keeps, also for all users of servers, whoever owns them now. */
export async function listKeys(
  deps: KeysDeps,
  caller: NonNullable<Viewer>,
): Promise<KeptKey[]> {
  const { userId } = caller;
  const rows = await deps.sql<ListedRow[]>`
    select ${columns(deps.sql)} from kept_values
    where subject = ${userId} or subject is null and terms->>'by' = ${userId}
    order by server, name, subject nulls last`;
  return await keysOf(deps, rows, caller);
}

/**
 * What the caller keeps for a server, and what is kept for all its users.
 *
 * @throws {AppError} `not_found`.
 */
export async function listServerKeys(
  deps: KeysDeps,
  caller: NonNullable<Viewer>,
  server: string,
): Promise<KeptKey[]> {
  await serverTerms(deps.sql, caller, server);
  const { userId } = caller;
  const rows = await deps.sql<ListedRow[]>`
    select ${columns(deps.sql)} from kept_values
    where server = ${server} and (subject = ${userId} or subject is null)
    order by name, subject nulls last`;
  return await keysOf(deps, rows, caller);
}
