/**
 * Steps three and four of the token checks: expiry, then what the claims must say (specification,
 * "Token claims" and "Authentication").
 *
 * @module
 */
import { z } from "zod";
import { expiredToken, invalidToken } from "./failures.ts";

/** Seconds that a token is accepted after issue, whatever its `exp` says. */
export const TOKEN_LIFETIME_SECONDS = 3600;
/** Seconds by which an issuer's clock may be ahead. Expiry has no such leeway. */
export const LEEWAY_SECONDS = 5;

// Up to the year 9999, so that every accepted time can be shown.
const NumericDate = z.number().min(0).max(253_402_300_799);

const Times = z.object({ iat: NumericDate, exp: NumericDate });

// Subjects are stored and compared: no control characters, a bounded length (OpenID Connect Core
// allows 255).
const Subject = z.string().min(1).max(255).regex(/^[^\p{Cc}\p{Cs}]+$/u);

/** Optional: absent and null are the same. */
function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? null);
}

const Required = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]).transform((aud) => [aud].flat()),
  sub: Subject,
  user_id: optional(z.string()),
  nbf: optional(NumericDate),
  auth_time: optional(NumericDate),
});

const text = (length: number) => z.string().min(1).max(length).nullable().catch(null);

// What only describes the user never makes a token invalid: what is not of its type counts as not
// sent.
const Described = z.object({
  email: text(320),
  email_verified: z.boolean().nullable().catch(null),
});

const Provider = z.object({ sign_in_provider: text(100) });

/** What the checks compare with. */
export interface ClaimRules {
  /** The only accepted `iss`. */
  issuer: string;
  /** Accepted audiences; a token needs one of them. */
  audiences: readonly string[];
  /** Name of the claim that holds `sign_in_provider`. */
  providerClaim: string;
}

/** The facts of a token that passed every check. */
export interface TokenFacts {
  subject: string;
  email: string | null;
  emailVerified: boolean | null;
  signInProvider: string | null;
  authTime: Date | null;
  issuedAt: Date;
  /** The earlier of `exp` and an hour after issue. */
  expiresAt: Date;
  /** All claims, for looking up one that configuration names. */
  claims: Readonly<Record<string, unknown>>;
}

function at(seconds: number): Date {
  return new Date(seconds * 1000);
}

function checkExpiry(claims: Record<string, unknown>, now: Date): { iat: number; expiresAt: Date } {
  const times = Times.safeParse(claims);
  if (!times.success) {
    throw invalidToken(
      `The claim ${String(times.error.issues[0]?.path[0])} is missing or is not a timestamp`,
    );
  }
  const { iat, exp } = times.data;
  const expiresAt = at(Math.min(exp, iat + TOKEN_LIFETIME_SECONDS));
  if (now >= expiresAt) {
    const byAge = exp > iat + TOKEN_LIFETIME_SECONDS;
    throw expiredToken(
      expiresAt,
      byAge
        ? `Tokens are accepted for ${TOKEN_LIFETIME_SECONDS} seconds after they are issued`
        : "The time in the claim exp has passed",
    );
  }
  return { iat, expiresAt };
}

function own(claims: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

/**
 * Checks `claims` in the specification's order: expiry before anything else.
 *
 * @throws {AppError} `expired_token` or `invalid_token`.
 */
export function checkClaims(
  rules: ClaimRules,
  claims: Record<string, unknown>,
  now: Date,
): TokenFacts {
  const { iat, expiresAt } = checkExpiry(claims, now);
  const required = Required.safeParse(claims);
  if (!required.success) {
    throw invalidToken(
      `The claim ${String(required.error.issues[0]?.path[0])} is missing or has the wrong type`,
    );
  }
  const { iss, aud, sub, user_id, nbf, auth_time } = required.data;
  if (iss !== rules.issuer) throw invalidToken("The token is from another issuer");
  if (!aud.some((one) => rules.audiences.includes(one))) {
    throw invalidToken("The token is for another audience");
  }
  if (user_id !== null && user_id !== sub) {
    throw invalidToken("The claims sub and user_id name different users");
  }
  const latest = now.getTime() / 1000 + LEEWAY_SECONDS;
  for (const [name, time] of Object.entries({ iat, auth_time, nbf })) {
    if (time !== null && time > latest) throw invalidToken(`The claim ${name} is in the future`);
  }
  const described = Described.parse(claims);
  const provider = Provider.safeParse(own(claims, rules.providerClaim));
  return {
    subject: sub,
    email: described.email,
    emailVerified: described.email_verified,
    signInProvider: provider.success ? provider.data.sign_in_provider : null,
    authTime: auth_time === null ? null : at(auth_time),
    issuedAt: at(iat),
    expiresAt,
    claims,
  };
}
