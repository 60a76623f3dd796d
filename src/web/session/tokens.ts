/**
 * The tokens that a session holds, and whom they name.
 *
 * @module
 */
import { z } from "zod";
import type { Sql } from "../../database/client.ts";
import { AppError } from "../../errors.ts";
import type { Caller } from "../../identity/caller.ts";
import type { KeptGroups } from "../../identity/groups.ts";
import type { Logger } from "../../log.ts";
import type { SignInProvider, TokenAnswer } from "../sign_in/provider.ts";

/** What a session holds. */
export const SessionTokens = z.object({
  /** What requests are authenticated with: the access token, or the identity token. */
  bearer: z.string(),
  refresh: z.string().nullable(),
  /** Whether {@link bearer} is one that the API takes too. */
  forApi: z.boolean(),
});
export type SessionTokens = z.infer<typeof SessionTokens>;

export interface SessionDeps {
  sql: Sql;
  now: () => Date;
  log: Logger;
  provider: SignInProvider;
  /** The caller of an access token, as the API has it. */
  authenticate: (bearer: string) => Promise<Caller>;
  /** The same for the identity tokens of this application's own sign-ins. */
  authenticateIdentity: (bearer: string) => Promise<Caller>;
  /** Keeps the groups that tokens name; absent where no claim is configured. */
  groups?: Pick<KeptGroups, "clear">;
}

/** The caller of `tokens`. @throws {AppError} As token checks do. */
export function callerOf(deps: SessionDeps, tokens: SessionTokens): Promise<Caller> {
  return tokens.forApi
    ? deps.authenticate(tokens.bearer)
    : deps.authenticateIdentity(tokens.bearer);
}

/** The groups of an answer whose access token names none: many providers name them in the other one. */
async function groupsOf(
  deps: SessionDeps,
  { userId, groups }: Caller,
  { id_token: token }: TokenAnswer,
): Promise<Pick<Caller, "groups">> {
  if (deps.groups === undefined || groups !== undefined || token === undefined) return {};
  try {
    const named = await deps.authenticateIdentity(token);
    return named.userId === userId && named.groups !== undefined ? { groups: named.groups } : {};
  } catch (error) {
    // What a provider gives beside the token that counts need not be good any more.
    if (error instanceof AppError) return {};
    throw error;
  }
}

/**
 * The tokens of an answer, with whom they name: by the access token, or, where that is none that is
 * accepted here (opaque, or for others), by the identity token.
 *
 * @throws {AppError} When neither is accepted.
 */
export async function acceptTokens(
  deps: SessionDeps,
  answer: TokenAnswer,
  before: SessionTokens | null = null,
): Promise<{ tokens: SessionTokens; caller: Caller }> {
  const refresh = answer.refresh_token ?? before?.refresh ?? null;
  const tokens = { bearer: answer.access_token, refresh, forApi: true };
  try {
    const caller = await deps.authenticate(tokens.bearer);
    return { tokens, caller: { ...caller, ...await groupsOf(deps, caller, answer) } };
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === "invalid_token";
    if (!isRefused || answer.id_token === undefined) throw error;
  }
  const identity = { bearer: answer.id_token, refresh, forApi: false };
  return { tokens: identity, caller: await deps.authenticateIdentity(identity.bearer) };
}
