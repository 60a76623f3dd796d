/**
 * A user's API tokens, without their values, which nobody has.
 *
 * @module
 */
import type { Caller } from "../caller.ts";
import type { TokensDeps } from "./deps.ts";
import type { ApiToken } from "./schema.ts";
import { listRows, type TokenRow } from "./store.ts";

/** The public fields of a stored token; `current` marks the one that `caller` presented. */
export function showToken(row: TokenRow, caller: Caller): ApiToken {
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    current: row.digest === caller.tokenDigest,
  };
}

/** The live tokens of `caller`, and those that ended within a day; newest first. */
export async function listTokens(
  { sql, now }: Pick<TokensDeps, "sql" | "now">,
  caller: Caller,
): Promise<ApiToken[]> {
  const rows = await listRows(sql, caller.userId, now());
  return rows.map((row) => showToken(row, caller));
}
