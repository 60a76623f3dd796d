/**
 * The issuer's token endpoint.
 *
 * @module
 */
import { z } from "zod";
import { readJson, send } from "../client/http.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT } from "../failure.ts";
import { oneLine } from "../output/terminal_text.ts";

const HOUR_MS = 3_600_000;

const Answer = z.object({
  access_token: z.string().min(1),
  id_token: z.string().optional(),
  refresh_token: z.string().optional(),
  expires_in: z.coerce.number().positive().optional(),
});

export type Tokens = z.infer<typeof Answer>;

/** What the token endpoint says: tokens, or the error's code (RFC 6749, section 5.2). */
export type GrantOutcome =
  | { kind: "tokens"; tokens: Tokens }
  | { kind: "error"; code: string; description: string | null };

/** Posts a grant. @throws {CliError} When the issuer cannot be reached or does not work. */
export async function requestTokens(
  context: CliContext,
  endpoint: string,
  fields: Record<string, string>,
): Promise<GrantOutcome> {
  const response = await send(context, endpoint, {
    what: "The identity provider",
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams(fields),
  });
  const body = await readJson(response);
  if (response.ok) {
    const parsed = Answer.safeParse(body);
    if (parsed.success) return { kind: "tokens", tokens: parsed.data };
    throw new CliError(EXIT.failure, "The identity provider returned no token");
  }
  const fault = z.object({ error: z.string(), error_description: z.string().optional() })
    .safeParse(body);
  if (fault.success && response.status < 500) {
    const { error, error_description } = fault.data;
    const description = error_description === undefined ? null : oneLine(error_description, 200);
    return { kind: "error", code: oneLine(error, 60), description };
  }
  throw new CliError(
    EXIT.unreachable,
    `The identity provider returned status ${response.status}`,
    { hint: "Try again in a moment" },
  );
}

/** The claims of a JWT, unchecked: the registry checks it. Null for what is none. */
function claimsOf(token: string): { exp?: number } | null {
  try {
    const bytes = Uint8Array.fromBase64(token.split(".")[1] ?? "", { alphabet: "base64url" });
    const claims = z.object({ exp: z.number().optional() })
      .parse(JSON.parse(new TextDecoder().decode(bytes)));
    return claims.exp === undefined ? {} : { exp: claims.exp };
  } catch {
    return null;
  }
}

/**
 * When `token` ends, in milliseconds since 1970 by the clock here, which may be wrong: what counts
 * is how long a token that was just issued lasts. Registries accept none for over an hour.
 */
export function expiryOf(token: string, expiresIn: number | undefined, now: number): number {
  if (expiresIn !== undefined) return now + Math.min(expiresIn * 1000, HOUR_MS);
  const exp = claimsOf(token)?.exp;
  return Math.min(now + HOUR_MS, exp === undefined ? Infinity : exp * 1000);
}
