/**
 * Sessions of browsers: a cookie's secret leads to the tokens of a sign-in, which are refreshed as
 * long as the identity provider agrees. Whether a session counts is asked anew at each request, as
 * with any bearer token: a revoked token ends its session.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import type { Caller } from "../../identity/caller.ts";
import { refreshSession } from "./refresh.ts";
import { idOf, isSecret, randomSecret, seal, unseal } from "./secrets.ts";
import {
  deleteSession,
  findSession,
  insertSession,
  type SessionRow,
  touchSession,
} from "./store.ts";
import { callerOf, type SessionDeps, SessionTokens } from "./tokens.ts";

const DAY_MS = 86_400_000;
/** From the last use. */
const IDLE_MS = 7 * DAY_MS;
/** From the sign-in, whatever happens. */
const LIFE_MS = 30 * DAY_MS;
const TOUCH_MS = 10 * 60_000;
/** Tokens are refreshed this long before they end. */
const EARLY_MS = 5 * 60_000;

/** A browser's sign-in that is neither expired nor ended. */
export interface Session {
  id: string;
  secret: string;
  caller: Caller;
  tokens: SessionTokens;
  createdAt: Date;
}

/** Begins a session; returns the secret for the cookie, which is stored nowhere. */
export async function beginSession(
  deps: SessionDeps,
  { tokens, caller }: { tokens: SessionTokens; caller: Caller },
): Promise<string> {
  const secret = randomSecret();
  const now = deps.now();
  await insertSession(deps.sql, {
    id: await idOf(secret),
    subject: caller.userId,
    tokens: await seal(secret, tokens),
    token_expires_at: caller.expiresAt,
    created_at: now,
    last_used_at: now,
    expires_at: new Date(now.getTime() + IDLE_MS),
  });
  return secret;
}

async function touch(deps: SessionDeps, row: SessionRow): Promise<void> {
  const now = deps.now();
  if (now.getTime() - row.last_used_at.getTime() < TOUCH_MS) return;
  const end = Math.min(now.getTime() + IDLE_MS, row.created_at.getTime() + LIFE_MS);
  await touchSession(deps.sql, row.id, { now, expiresAt: new Date(end) });
}

/** Whether a session has ended by `error`, and not only could not be checked. */
function isEnded(error: unknown): boolean {
  return error instanceof AppError && error.status === 401;
}

async function open(
  deps: SessionDeps,
  row: SessionRow,
  secret: string,
  client: string | null,
): Promise<Session | null> {
  const sealed = SessionTokens.safeParse(await unseal(secret, row.tokens));
  if (!sealed.success || row.created_at.getTime() + LIFE_MS <= deps.now().getTime()) return null;
  let tokens: SessionTokens | null = sealed.data;
  const left = row.token_expires_at.getTime() - deps.now().getTime();
  if (left < EARLY_MS && tokens.refresh !== null) {
    tokens = await refreshSession(deps, { row, secret, tokens, client, isNeeded: left <= 0 });
  }
  if (tokens === null) return null;
  const caller = await callerOf(deps, tokens);
  // A provider whose refreshed tokens name another user has mixed something up.
  if (caller.userId !== row.subject) return null;
  await touch(deps, row);
  return { id: row.id, secret, caller, tokens, createdAt: row.created_at };
}

/**
 * The session of a cookie's secret; null when there is none any more.
 *
 * @param client Address of the browser.
 * @throws {AppError} `unavailable` when that cannot be found out just now.
 */
export async function openSession(
  deps: SessionDeps,
  secret: string | undefined,
  client: string | null,
): Promise<Session | null> {
  if (!isSecret(secret)) return null;
  const id = await idOf(secret);
  const row = await findSession(deps.sql, id, deps.now());
  if (row === null) return null;
  let session: Session | null = null;
  try {
    session = await open(deps, row, secret, client);
  } catch (error) {
    if (!isEnded(error)) throw error;
  }
  if (session === null) await deleteSession(deps.sql, id);
  return session;
}

/** Ends a session; the provider is told too, as far as it takes that. */
export async function endSession(
  deps: SessionDeps,
  session: Session,
  client: string | null,
): Promise<void> {
  await deleteSession(deps.sql, session.id);
  if (session.tokens.refresh === null) return;
  try {
    await deps.provider.revoke(session.tokens.refresh, client);
  } catch (error) {
    deps.log.warn("web.revoke_failed", { error });
  }
}
