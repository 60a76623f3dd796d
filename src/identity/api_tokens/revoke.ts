/**
 * Revoking a token before it expires.
 *
 * @module
 */
import { z } from "zod";
import { recordChange } from "../../audit/audit.ts";
import type { Transaction } from "../../database/client.ts";
import type { Caller } from "../caller.ts";
import { tokenNotFound } from "../failures.ts";
import type { TokensDeps } from "./deps.ts";
import { type Denial, denyToken, denyUser } from "./denied_store.ts";
import { lockDigest, lockToken, markAllRevoked, markRevoked, type TokenRow } from "./store.ts";
import type { RequestContext } from "../../request.ts";

/** In place of an id: the token that the request carries, listed or not. */
export const CURRENT = "current";

const Id = z.uuid();

interface Target {
  /** The listed token; null for another one that the request carries. */
  row: TokenRow | null;
  digest: string;
  expiresAt: Date;
}

async function find(tx: Transaction, caller: Caller, id: string): Promise<Target> {
  if (id === CURRENT) {
    const row = await lockDigest(tx, caller.tokenDigest);
    return { row, digest: caller.tokenDigest, expiresAt: caller.expiresAt };
  }
  const row = Id.safeParse(id).success ? await lockToken(tx, id) : null;
  // Another's token is told from none to administrators only.
  if (row === null || (row.owner !== caller.userId && !caller.isAdmin)) throw tokenNotFound();
  return { row, digest: row.digest, expiresAt: row.expires_at };
}

/**
 * Revokes the token `id` (or {@link CURRENT}) of `caller`; administrators may revoke anyone's. Here
 * it is refused when this returns, on other nodes as soon as they hear of it. One that is revoked
 * already stays so.
 *
 * @throws {AppError} `not_found`.
 */
export async function revokeToken(
  deps: TokensDeps,
  caller: Caller,
  id: string,
  context: RequestContext,
): Promise<void> {
  const now = deps.now();
  const target = await deps.sql.begin(async (tx) => {
    const { row, digest, expiresAt } = await find(tx, caller, id);
    if (row !== null && row.revoked_at !== null) return { digest, expiresAt };
    if (row !== null) await markRevoked(tx, row.id, now);
    if (expiresAt > now) await denyToken(tx, digest, expiresAt);
    await recordChange(tx, {
      actor: caller.userId,
      action: "token.revoke",
      // Part of a digest says which, and is of no use for anything else.
      subject: row?.id ?? digest.slice(0, 16),
      requestId: context.requestId,
      at: now,
      details: row === null ? {} : { name: row.name, owner: row.owner },
    });
    return { digest, expiresAt };
  });
  if (target.expiresAt > now) deps.denied.add({ kind: "token", ...target });
}

/**
 * Refuses every token of `caller` that was issued until now, listed or not, and ends her sign-ins.
 *
 * @returns What this node refuses once the transaction is through, and how many tokens were listed.
 */
export async function revokeEverything(
  tx: Transaction,
  { endSignIns }: Pick<TokensDeps, "endSignIns">,
  caller: Pick<Caller, "userId" | "tokenDigest" | "expiresAt">,
  now: Date,
): Promise<{ denials: Denial[]; listed: number }> {
  const subject = caller.userId;
  // Tokens that are being made are made before this, and revoked, or not at all.
  await tx`select 1 from users where subject = ${subject} for update`;
  const listed = await markAllRevoked(tx, subject, now);
  // The present second's, which the time of issue does not tell from what comes after.
  const single = new Map(listed.map(({ digest, expires_at }) => [digest, expires_at]));
  single.set(caller.tokenDigest, caller.expiresAt);
  for (const [digest, expiresAt] of single) await denyToken(tx, digest, expiresAt);
  const everything = await denyUser(tx, subject, now);
  await endSignIns(tx, subject);
  const tokens = [...single].map(([digest, expiresAt]) =>
    ({ kind: "token", digest, expiresAt }) as const
  );
  return { denials: [...tokens, everything], listed: listed.length };
}

/**
 * Signs `caller` out everywhere: refuses every token of hers that was issued until now, listed or
 * not, and ends her sign-ins at the embedded issuer.
 */
export async function revokeAllTokens(
  deps: TokensDeps,
  caller: Caller,
  context: RequestContext,
): Promise<void> {
  const now = deps.now();
  const subject = caller.userId;
  const denials = await deps.sql.begin(async (tx) => {
    const { denials, listed } = await revokeEverything(tx, deps, caller, now);
    await recordChange(tx, {
      actor: subject,
      action: "token.revoke_all",
      subject,
      requestId: context.requestId,
      at: now,
      details: { listed },
    });
    return denials;
  });
  denials.forEach(deps.denied.add);
}
