/**
 * The authentication failures of the specification ("Errors"), each with its details and, for 401,
 * the challenge that RFC 6750 asks for.
 *
 * @module
 */
import { AppError } from "../errors.ts";

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
  return new AppError("missing_token", "This operation needs a bearer token", {
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
