/**
 * The seam to the embedded issuer: where fresh access tokens come from.
 *
 * @module
 */

/** Whom a token is for, as the token that asks for it says. */
export interface TokenUser {
  /** For `sub` and `user_id`. */
  userId: string;
  email: string | null;
  emailVerified: boolean | null;
  signInProvider: string | null;
  /** For `auth_time`: a fresh token does not count as a fresh sign-in. */
  authTime: Date | null;
}

/** Makes access tokens of the embedded issuer. */
export interface TokenMinter {
  /** A signed token with a `jti` of its own, accepted at once by this registry. */
  mintAccessToken(user: TokenUser, options: { ttlSeconds: number }): Promise<string>;
}
