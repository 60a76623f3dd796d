/**
 * Kept values of a user, without the values.
 *
 * @module
 */
import type { Queryable } from "../database/client.ts";
import type { Caller } from "../identity/caller.ts";
import type { KeysDeps } from "./deps.ts";
import { serverTerms } from "./shown_terms.ts";
import type { KeptKey } from "./schema.ts";
import { findTerms, isAgreed, type ListedRow, type ServerTerms, Terms, termsOf } from "./store.ts";

/** What whoever entered the value agreed to, what the server asks for now, and what follows. */
export function standingOf(
  row: Pick<ListedRow, "name" | "terms" | "key_id">,
  server: ServerTerms,
  ids: readonly string[],
): { agreed: Terms; asked: Terms; state: KeptKey["state"] } {
  const agreed = Terms.parse(row.terms);
  const asked = termsOf(server, row.name);
  if (!ids.includes(row.key_id)) return { agreed, asked, state: "unreadable" };
  return { agreed, asked, state: isAgreed(agreed, asked) ? "ready" : "changed" };
}

function keyOf(row: ListedRow, server: ServerTerms, ids: readonly string[]): KeptKey {
  const { agreed, asked, state } = standingOf(row, server, ids);
  return {
    server: row.server,
    variable: row.name,
    for: row.subject === null ? "everyone" : "me",
    state,
    delivery: agreed.delivery,
    hosts: agreed.hosts,
    asked: state === "changed" ? { delivery: asked.delivery, hosts: asked.hosts } : null,
    set_at: row.set_at.toISOString(),
    last_used_at: row.used_at?.toISOString() ?? null,
  };
}

async function keysOf(
  { sql, ring }: Pick<KeysDeps, "sql" | "ring">,
  rows: readonly ListedRow[],
): Promise<KeptKey[]> {
  const servers = await findTerms(sql, [...new Set(rows.map(({ server }) => server))]);
  return rows.flatMap((row) => {
    const server = servers.get(row.server);
    return server === undefined ? [] : [keyOf(row, server, ring?.ids ?? [])];
  });
}

function columns(sql: Queryable) {
  return sql`server, subject, name, key_id, terms, set_at, used_at`;
}

/** Everything that the caller keeps. */
export async function listKeys(
  deps: Pick<KeysDeps, "sql" | "ring">,
  { userId }: Pick<Caller, "userId">,
): Promise<KeptKey[]> {
  const rows = await deps.sql<ListedRow[]>`
    select ${columns(deps.sql)} from kept_values
    where subject = ${userId} order by server, name`;
  return await keysOf(deps, rows);
}

/**
 * What the caller keeps for a server, and what is kept for all its users.
 *
 * @throws {AppError} `not_found`.
 */
export async function listServerKeys(
  deps: Pick<KeysDeps, "sql" | "ring">,
  { userId }: Pick<Caller, "userId">,
  server: string,
): Promise<KeptKey[]> {
  await serverTerms(deps.sql, server);
  const rows = await deps.sql<ListedRow[]>`
    select ${columns(deps.sql)} from kept_values
    where server = ${server} and (subject = ${userId} or subject is null)
    order by name, subject nulls last`;
  return await keysOf(deps, rows);
}
