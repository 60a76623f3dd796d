/**
 * Making an API token: a fresh access token of the embedded issuer, shown once.
 *
 * @module
 */
import { z } from "zod";
import { recordChange } from "../../audit/audit.ts";
import type { Caller } from "../caller.ts";
import { TOKEN_LIFETIME_SECONDS } from "../claims.ts";
import { invalidToken, noTokensHere, signInTooOld, tooManyTokens } from "../failures.ts";
import { parseObject } from "../json.ts";
import { isDenied } from "./denied_store.ts";
import type { TokensDeps } from "./deps.ts";
import { tokenDigest } from "./digest.ts";
import { showToken } from "./list.ts";
import type { TokenMinter } from "./minter.ts";
import type { ApiToken, CreateToken } from "./schema.ts";
import { countLive, insertToken } from "./store.ts";
import type { RequestContext } from "../../request.ts";

/** Tokens of a user that are neither expired nor revoked. */
export const LIVE_TOKENS_MAX = 50;
/**
 * Days after a sign-in in which its tokens can be exchanged for fresh ones. Without an end, whoever
 * steals one token could keep it alive for ever.
 */
const SIGN_IN_DAYS = 30;
const DAY_MS = 86_400_000;

/** A made token, and the only time that its value is shown. */
export interface MadeToken {
  token: ApiToken;
  accessToken: string;
  expiresIn: number;
}

const Claims = z.object({ sub: z.string(), iat: z.number(), exp: z.number() });

/** When the minted token stops being accepted. */
function expiryOf(jwt: string, userId: string): Date {
  const payload = Uint8Array.fromBase64(jwt.split(".")[1] ?? "", { alphabet: "base64url" });
  const { sub, iat, exp } = Claims.parse(parseObject(payload));
  if (sub !== userId) throw new Error("The issuer minted a token for another user");
  return new Date(Math.min(exp, iat + TOKEN_LIFETIME_SECONDS) * 1000);
}

/**
 * Checks what may be checked before the body is looked at.
 *
 * @throws {AppError} `forbidden` when the caller's sign-in is too long ago.
 */
export function authorizeToken({ now, minter }: TokensDeps, { authTime }: Caller): void {
  if (minter === null || authTime === null) return;
  if (now().getTime() - authTime.getTime() < SIGN_IN_DAYS * DAY_MS) return;
  throw signInTooOld(SIGN_IN_DAYS);
}

async function mint(minter: TokenMinter, caller: Caller, ttlSeconds: number): Promise<string> {
  const { userId, email, emailVerified, signInProvider, authTime } = caller;
  const user = { userId, email, emailVerified, signInProvider, authTime };
  return await minter.mintAccessToken(user, { ttlSeconds });
}

/**
 * Makes a token for `caller`.
 *
 * @throws {AppError} `conflict` when the tokens of this registry come from another provider, or when
 * the caller has as many as may be; `forbidden` when the sign-in is too long ago.
 */
export async function createToken(
  deps: TokensDeps,
  caller: Caller,
  input: CreateToken,
  context: RequestContext,
): Promise<MadeToken> {
  const { sql, minter } = deps;
  authorizeToken(deps, caller);
  if (minter === null) throw noTokensHere(deps.provider);
  if (await countLive(sql, caller.userId, deps.now()) >= LIVE_TOKENS_MAX) {
    throw tooManyTokens(LIVE_TOKENS_MAX);
  }
  // Outside the transaction: the issuer may need the database too.
  const accessToken = await mint(minter, caller, input.expires_in);
  return await listToken(deps, caller, { name: input.name, accessToken }, context);
}

/**
 * Lists a token that was issued for `caller`, so that it can be seen and revoked.
 *
 * @throws {AppError} `conflict` when the caller has as many as may be.
 */
export async function listToken(
  deps: TokensDeps,
  caller: Caller,
  { name, accessToken }: { name: string; accessToken: string },
  context: RequestContext,
): Promise<MadeToken> {
  const { sql } = deps;
  const owner = caller.userId;
  const now = deps.now();
  const row = {
    id: deps.newId(),
    digest: await tokenDigest(accessToken),
    owner,
    name,
    created_at: now,
    expires_at: expiryOf(accessToken, owner),
  };
  await sql.begin(async (tx) => {
    // One after the other for each user, so that the limit holds for requests at once too.
    await tx`select 1 from users where subject = ${owner} for update`;
    // What was revoked while this went on makes no successor.
    const { tokenDigest: digest, issuedAt } = caller;
    if (await isDenied(tx, { digest, subject: owner, issuedAt })) throw invalidToken("revoked");
    if (await countLive(tx, owner, now) >= LIVE_TOKENS_MAX) throw tooManyTokens(LIVE_TOKENS_MAX);
    await insertToken(tx, row);
    await recordChange(tx, {
      actor: owner,
      action: "token.create",
      subject: row.id,
      requestId: context.requestId,
      at: now,
      details: { name: row.name, expires_at: row.expires_at.toISOString() },
    });
  });
  return {
    token: showToken({ ...row, last_used_at: null, revoked_at: null }, caller),
    accessToken,
    expiresIn: Math.max(0, Math.floor((row.expires_at.getTime() - now.getTime()) / 1000)),
  };
}
