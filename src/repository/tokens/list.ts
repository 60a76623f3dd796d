/**
 * Tokens of a user for code hosts, without what they are.
 *
 * @module
 */
import type { Caller } from "../../identity/caller.ts";
import type { HostToken } from "./schema.ts";
import type { HostTokenDeps, ListedToken } from "./store.ts";

function stateOf(row: ListedToken, ids: readonly string[]): HostToken["state"] {
  if (!ids.includes(row.key_id)) return "unreadable";
  return row.refused_at === null ? "ready" : "refused";
}

/** What the caller keeps for code hosts. */
export async function listHostTokens(
  { sql, ring }: HostTokenDeps,
  { userId }: Pick<Caller, "userId">,
): Promise<HostToken[]> {
  const rows = await sql<ListedToken[]>`
    select host, path, key_id, set_at, used_at, refused_at from code_host_tokens
    where subject = ${userId} order by host, path`;
  return rows.map((row) => ({
    host: row.host,
    path: row.path,
    state: stateOf(row, ring?.ids ?? []),
    set_at: row.set_at.toISOString(),
    last_used_at: row.used_at?.toISOString() ?? null,
  }));
}
