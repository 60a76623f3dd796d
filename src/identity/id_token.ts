/**
 * Identity tokens: what the claims of one that answers a sign-in must say (OpenID Connect Core 1.0,
 * section 3.1.3.7). The signature is checked before.
 *
 * @module
 */
import { z } from "zod";

const LEEWAY_SECONDS = 30;
/** An identity token is made for this very sign-in: an old one is not. */
const MAX_AGE_SECONDS = 600;

const IdToken = z.looseObject({
  iss: z.string(),
  sub: z.string().min(1).max(255).regex(/^[^\p{Cc}\p{Cs}]+$/u),
  aud: z.union([z.string(), z.array(z.string())]).transform((aud) => [aud].flat()),
  azp: z.string().optional(),
  exp: z.number(),
  iat: z.number(),
  nonce: z.string(),
});

/** What a sign-in expects of its identity token. */
export interface ExpectedIdToken {
  issuer: string;
  clientId: string;
  nonce: string;
  now: Date;
}

/** Whether the token counts: who it names, or why not (for the operator's log; no secret). */
export type IdTokenOutcome =
  | { kind: "accepted"; subject: string }
  | { kind: "refused"; reason: string };

/** Checks the claims of an identity token whose signature is right. */
export function checkIdToken(
  claims: Record<string, unknown>,
  expected: ExpectedIdToken,
): IdTokenOutcome {
  const parsed = IdToken.safeParse(claims);
  if (!parsed.success) {
    const path = String(parsed.error.issues[0]?.path[0]);
    return { kind: "refused", reason: `has no valid claim ${path}` };
  }
  const { iss, sub, aud, azp, exp, iat, nonce } = parsed.data;
  const { clientId } = expected;
  const seconds = expected.now.getTime() / 1000;
  const faults: [boolean, string][] = [
    [iss !== expected.issuer, "is from another issuer"],
    [!aud.includes(clientId), "is for another client"],
    [aud.length > 1 && azp !== clientId, "is for several clients"],
    [azp !== undefined && azp !== clientId, "was issued to another client"],
    [seconds >= exp + LEEWAY_SECONDS, "has expired"],
    [iat > seconds + LEEWAY_SECONDS, "was issued in the future"],
    [iat < seconds - MAX_AGE_SECONDS, "is too old"],
    [nonce !== expected.nonce, "belongs to another sign-in"],
  ];
  const fault = faults.find(([isFault]) => isFault);
  return fault === undefined
    ? { kind: "accepted", subject: sub }
    : { kind: "refused", reason: fault[1] };
}
