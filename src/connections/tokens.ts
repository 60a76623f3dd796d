/**
 * The token endpoint of a service, and giving tokens back (RFC 6749, RFC 7009).
 *
 * @module
 */
import { z } from "zod";
import type { ServiceClient, Tokens } from "../keys/connection.ts";
import { SEALED_MIN } from "../keys/variables.ts";
import { type AskService, NoAnswer } from "./request.ts";

const token = z.string().min(SEALED_MIN).max(8192).regex(/^[\x21-\x7e]+$/);

const Answer = z.object({
  access_token: token,
  token_type: z.string().regex(/^bearer$/i).optional(),
  refresh_token: token.nullish(),
  expires_in: z.coerce.number().positive().max(10 * 365 * 86_400).nullish().catch(null),
  scope: z.string().max(10_000).nullish().catch(null),
});

/** Some services tell of failures with status 200. */
const Failure = z.object({ error: z.string().regex(/^[\w.-]{1,60}$/) });

/** Errors that say nothing of the grant. */
const PASSING = new Set([
  "temporarily_unavailable",
  "server_error",
  "slow_down",
  "rate_limited",
  "ratelimited",
  "internal_error",
  "service_unavailable",
]);

/** Tokens that a service gave. */
export interface Granted {
  access: string;
  refresh: string | null;
  /** Seconds until the token runs out; null: it does not say. */
  expiresIn: number | null;
  /** What it is for; null: it does not say. */
  scopes: string[] | null;
}

/** What came of a request for tokens. */
export type TokenOutcome =
  | { kind: "granted"; granted: Granted }
  /** The service says no: the code or refresh token is good for nothing any more. */
  | { kind: "refused"; reason: string };

/** How the client proves itself, of what the service takes (RFC 6749, 2.3.1). */
export function methodFor(
  secret: string | null,
  methods: readonly string[] | null,
): ServiceClient["method"] {
  if (secret === null) return "none";
  const taken = methods ?? ["client_secret_basic"];
  return !taken.includes("client_secret_basic") && taken.includes("client_secret_post")
    ? "client_secret_post"
    : "client_secret_basic";
}

function formEncoded(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

async function post(
  ask: AskService,
  url: string,
  { id, secret, method }: ServiceClient,
  fields: Record<string, string>,
) {
  const body = new URLSearchParams(fields);
  const headers: [string, string][] = [];
  if (method === "client_secret_basic" && secret !== null) {
    headers.push(["authorization", `Basic ${btoa(`${formEncoded(id)}:${formEncoded(secret)}`)}`]);
  } else {
    body.set("client_id", id);
    if (secret !== null) body.set("client_secret", secret);
  }
  return await ask({ method: "POST", url, headers, body });
}

/**
 * Asks for tokens.
 *
 * @throws {NoAnswer} When the service is out of reach, or its answer is neither yes nor no.
 */
export async function requestTokens(
  ask: AskService,
  { endpoint, client, fields }: {
    endpoint: string;
    client: ServiceClient;
    fields: Record<string, string>;
  },
): Promise<TokenOutcome> {
  const { status, body } = await post(ask, endpoint, client, fields);
  const failure = Failure.safeParse(body);
  if (failure.success && status < 500 && status !== 429 && !PASSING.has(failure.data.error)) {
    return { kind: "refused", reason: failure.data.error };
  }
  const answer = Answer.safeParse(body);
  if (status !== 200 && status !== 201 || !answer.success) {
    throw new NoAnswer(`status ${status} without tokens`);
  }
  const { access_token, refresh_token, expires_in, scope } = answer.data;
  return {
    kind: "granted",
    granted: {
      access: access_token,
      refresh: refresh_token ?? null,
      expiresIn: expires_in ?? null,
      // Some separate them by commas.
      scopes: scope ? scope.split(/[\s,]+/).filter((one) => one !== "").slice(0, 100) : null,
    },
  };
}

/**
 * Gives tokens back, where the service takes them; the refresh token takes the rest with it.
 *
 * @throws {NoAnswer} When it may work later.
 */
export async function revokeTokens(ask: AskService, tokens: Tokens): Promise<void> {
  if (tokens.revocation_endpoint === null) return;
  const { status } = await post(ask, tokens.revocation_endpoint, tokens.client, {
    token: tokens.refresh ?? tokens.access,
    token_type_hint: tokens.refresh === null ? "access_token" : "refresh_token",
  });
  if (status >= 500 || status === 429) throw new NoAnswer(`status ${status} for a revocation`);
}
