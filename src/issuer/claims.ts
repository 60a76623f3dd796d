/**
 * The claims of access tokens (specification, "Token claims").
 *
 * @module
 */
import { type Account, PASSWORD_PROVIDER } from "./accounts/accounts.ts";

export interface SignIn {
  /** Unix time. */
  authTime: number;
  /** Authentication methods, as kept with sessions and grants: see {@link methodsOf}. */
  methods: readonly string[] | undefined;
}

const PROVIDER_PREFIX = "provider:";

/** The authentication methods (`amr`) that stand for sign-in by `provider`. */
export function methodsOf(provider: string): string[] {
  return provider === PASSWORD_PROVIDER ? ["pwd"] : [`${PROVIDER_PREFIX}${provider}`];
}

/** The provider that {@link methodsOf} was given. */
export function providerOf(methods: readonly string[] | undefined): string {
  const named = methods?.find((method) => method.startsWith(PROVIDER_PREFIX));
  return named?.slice(PROVIDER_PREFIX.length) ?? PASSWORD_PROVIDER;
}

/** The claims about `account`; `providerClaim` names the object that holds its identities. */
export function claimsAbout(
  account: Account,
  signIn: SignIn,
  providerClaim: string,
): Record<string, unknown> {
  const identities: Record<string, string[]> = { ...account.identities };
  if (account.email !== null) identities["email"] = [account.email];
  return {
    auth_time: signIn.authTime,
    user_id: account.id,
    ...(account.email === null ? {} : { email: account.email }),
    email_verified: account.emailVerified,
    [providerClaim]: { identities, sign_in_provider: providerOf(signIn.methods) },
  };
}
