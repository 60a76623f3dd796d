/**
 * The failures of identity. Those of authentication have the details of the specification
 * ("Errors") and the challenge that RFC 6750 asks for.
 *
 * @module
 */
import { AppError, forbidden } from "../errors.ts";

const HOW_TO_SEND = 'Send the header "Authorization: Bearer <token>"';
const HOW_TO_RENEW = "Get a new token from the identity provider and send the request again";

function challenge(parameters: Record<string, string> = {}): Record<string, string> {
  const all = Object.entries({ realm: "berth", ...parameters });
  return {
    "WWW-Authenticate": `Bearer ${all.map(([key, value]) => `${key}="${value}"`).join(", ")}`,
  };
}

/** 401 `MISSING_TOKEN`. @param hint What to do about it. */
export function missingToken(hint: string = HOW_TO_SEND): AppError {
  return new AppError("missing_token", "This operation requires a bearer token", {
    details: { hint },
    headers: challenge(),
  });
}

/**
 * 401 `INVALID_TOKEN`.
 *
 * @param reason Which rule the token breaks. Shown, and part of a header: plain ASCII, no quotes,
 * nothing taken from the token.
 */
export function invalidToken(
  reason: string,
  options: { hint?: string; cause?: unknown } = {},
): AppError {
  return new AppError("invalid_token", "The bearer token is invalid", {
    details: { reason, ...(options.hint === undefined ? {} : { hint: options.hint }) },
    headers: challenge({ error: "invalid_token", error_description: reason }),
    cause: options.cause,
  });
}

/** 401 `EXPIRED_TOKEN`. @param expiredAt When the token stopped being valid. */
export function expiredToken(expiredAt: Date, reason: string): AppError {
  return new AppError("expired_token", "The bearer token has expired", {
    details: { expiredAt: expiredAt.toISOString(), hint: HOW_TO_RENEW, reason },
    headers: challenge({ error: "invalid_token", error_description: reason }),
  });
}

/** The issuer's keys are neither known nor within reach. @param retryAfter Seconds. */
export function keysUnavailable(cause: unknown, retryAfter: number): AppError {
  return new AppError(
    "unavailable",
    "The token could not be checked: the identity provider's signing keys are unavailable. " +
      "Try again in a moment",
    { retryAfter, cause },
  );
}

/** @param provider Where tokens come from; null where there is no identity provider. */
export function noTokensHere(provider: string | null): AppError {
  return new AppError(
    "conflict",
    provider === null
      ? "This registry has no identity provider, so it has no tokens"
      : `This registry does not issue tokens. Sign in at ${provider} and get an access token ` +
        "there, as that provider's documentation describes",
  );
}

export function tooManyTokens(limit: number): AppError {
  return new AppError(
    "conflict",
    `You have reached the limit of ${limit} live tokens. Revoke one, or wait until one expires`,
  );
}

export function signInTooOld(days: number): AppError {
  return forbidden("recent sign-in", `You signed in more than ${days} days ago. Sign in again`);
}

/** One text for missing and another's, so that nobody learns which tokens exist. */
export function tokenNotFound(): AppError {
  return new AppError("not_found", "Token not found");
}

/** The caller was deleted. */
export function callerNotFound(): AppError {
  return new AppError("not_found", "User not found");
}

export function usernameTaken(username: string): AppError {
  return new AppError("conflict", `The username "${username}" is already taken`, {
    errors: [{ path: "username", message: "is already taken" }],
  });
}

export function usernameFixed(): AppError {
  return new AppError("conflict", "Your username was already changed. It can be changed only once");
}
