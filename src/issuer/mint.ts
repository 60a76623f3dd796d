/**
 * Access tokens for users who ask for one at the registry itself.
 *
 * @module
 */
import { importJWK, SignJWT } from "jose";
import type { TokenMinter, TokenUser } from "../identity/api_tokens/minter.ts";
import { findAccount, PASSWORD_PROVIDER } from "./accounts/accounts.ts";
import { claimsAbout, methodsOf } from "./claims.ts";
import type { IssuerDeps } from "./deps.ts";
import { SIGNING_ALG } from "./keys/rotation.ts";
import { API_SCOPE } from "./provider.ts";
import { invalidToken } from "../identity/failures.ts";

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

async function mint(deps: IssuerDeps, user: TokenUser, ttlSeconds: number): Promise<string> {
  const account = await findAccount(deps.sql, user.userId);
  if (account === null) throw invalidToken("The account of the token no longer exists");
  const { signing } = await deps.keys.current();
  const key = signing[0]!;
  const iat = seconds(deps.now());
  const signIn = {
    authTime: user.authTime === null ? iat : seconds(user.authTime),
    methods: methodsOf(user.signInProvider ?? PASSWORD_PROVIDER),
  };
  return await new SignJWT({
    ...claimsAbout(account, signIn, deps.providerClaim),
    scope: API_SCOPE,
  })
    .setProtectedHeader({ alg: SIGNING_ALG, kid: key.kid!, typ: "at+jwt" })
    .setIssuer(deps.address.issuer)
    .setAudience(deps.audience)
    .setSubject(account.id)
    .setJti(deps.newId())
    .setIssuedAt(iat)
    .setExpirationTime(iat + ttlSeconds)
    .sign(await importJWK(key, SIGNING_ALG));
}

/** Makes access tokens like those of the token endpoint, for accounts that are there. */
export function createMinter(deps: IssuerDeps): TokenMinter {
  return { mintAccessToken: (user, { ttlSeconds }) => mint(deps, user, ttlSeconds) };
}
