/**
 * Refreshing what a session holds. A refresh token works once, and using it twice ends the whole
 * sign-in; so of requests that come together, on whatever nodes, one refreshes and the others wait.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import { providerUnavailable } from "../failures.ts";
import { seal, unseal } from "./secrets.ts";
import { acceptTokens, type SessionDeps, SessionTokens } from "./tokens.ts";
import { dropRefresh, findSession, type SessionRow, storeRefresh, takeRefresh } from "./store.ts";

/** How long one refresh may take before another request tries. */
const LEASE_MS = 20_000;
const POLL_MS = 100;

/** A sign-in whose access token is about to expire, with what renewing it takes. */
export interface Refresh {
  row: SessionRow;
  secret: string;
  tokens: SessionTokens;
  client: string | null;
  /** Whether the present token has ended, so that there is nothing to go on with. */
  isNeeded: boolean;
}

/** What another request made of the session; null when it has ended. */
async function awaited(
  deps: SessionDeps,
  { row, secret, tokens, isNeeded }: Refresh,
): Promise<SessionTokens | null> {
  if (!isNeeded) return tokens;
  const from = performance.now();
  while (performance.now() - from < LEASE_MS) {
    const next = await findSession(deps.sql, row.id, deps.now());
    if (next === null) return null;
    if (next.version !== row.version) {
      return SessionTokens.nullable().parse(await unseal(secret, next.tokens));
    }
    if (next.refreshing_until === null) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw providerUnavailable(new Error("Another request could not refresh the session"));
}

async function store(
  deps: SessionDeps,
  { row, secret }: Pick<Refresh, "row" | "secret">,
  tokens: SessionTokens,
  expiresAt: Date,
): Promise<void> {
  await storeRefresh(deps.sql, row.id, { tokens: await seal(secret, tokens), expiresAt });
}

/**
 * The session's next tokens; null when the provider has ended the sign-in.
 *
 * @throws {AppError} `unavailable` when the provider cannot be asked and the present token has ended.
 */
export async function refreshSession(
  deps: SessionDeps,
  refresh: Refresh,
): Promise<SessionTokens | null> {
  const { row, tokens, client, isNeeded } = refresh;
  const now = deps.now();
  const until = new Date(now.getTime() + LEASE_MS);
  if (!await takeRefresh(deps.sql, row, { now, until })) return await awaited(deps, refresh);
  try {
    const outcome = await deps.provider.refresh(tokens.refresh!, client);
    if (outcome.kind === "refused") return null;
    const accepted = await acceptTokens(deps, outcome.tokens, tokens);
    await store(deps, refresh, accepted.tokens, accepted.caller.expiresAt);
    return accepted.tokens;
  } catch (error) {
    await dropRefresh(deps.sql, row.id);
    if (error instanceof AppError && error.status === 401) return null;
    if (!isNeeded) return tokens;
    throw error instanceof AppError ? error : providerUnavailable(error);
  }
}

/** What came of asking for a token beside the session's own. */
export type FreshToken =
  | { kind: "token"; accessToken: string }
  /** The provider gives none that the API takes. */
  | { kind: "none" };

/**
 * A further access token from the session's grant, for use elsewhere. The session keeps the present
 * one and takes over the grant's next refresh token.
 *
 * @throws {AppError} `unavailable` when the provider cannot be asked.
 */
export async function freshToken(
  deps: SessionDeps,
  { id, secret, client }: { id: string; secret: string; client: string | null },
): Promise<FreshToken> {
  const now = deps.now();
  const row = await findSession(deps.sql, id, now);
  const tokens = row && SessionTokens.nullable().parse(await unseal(secret, row.tokens));
  if (!row || !tokens || tokens.refresh === null) return { kind: "none" };
  const until = new Date(now.getTime() + LEASE_MS);
  if (!await takeRefresh(deps.sql, row, { now, until })) {
    throw providerUnavailable(new Error("Another request is refreshing the session"));
  }
  try {
    const outcome = await deps.provider.refresh(tokens.refresh, client);
    if (outcome.kind === "refused") {
      await dropRefresh(deps.sql, id);
      return { kind: "none" };
    }
    const next = { ...tokens, refresh: outcome.tokens.refresh_token ?? tokens.refresh };
    await store(deps, { row, secret }, next, row.token_expires_at);
    const { access_token: accessToken } = outcome.tokens;
    const caller = await deps.authenticate(accessToken);
    return caller.userId === row.subject ? { kind: "token", accessToken } : { kind: "none" };
  } catch (error) {
    await dropRefresh(deps.sql, id);
    if (error instanceof AppError && error.code === "invalid_token") return { kind: "none" };
    throw error instanceof AppError ? error : providerUnavailable(error);
  }
}
