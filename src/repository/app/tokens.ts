/**
 * Tokens of an operator's GitHub App: each for one repository, to read its contents and nothing else,
 * for an hour at most. They are kept in memory only.
 *
 * @module
 */
import { SignJWT } from "jose";
import { z } from "zod";
import type { CodeHostSettings, GitHubApp } from "../../code_host_settings.ts";
import { isUnauthorized } from "../failed_requests.ts";
import { appRefused } from "../failures.ts";
import { createGuardedFetch } from "../guarded_fetch.ts";
import { ABSENT, ask, type Asked, FailedAnswer, jsonOf } from "../hosts/answers.ts";
import type { CodeHostDeps, FoundRepository } from "../hosts/code_host.ts";
import { lineName } from "../publisher_file.ts";

/** Where requests go, and what they are signed with. */
export type AppHost = CodeHostSettings & { app: GitHubApp };

/** What reads one repository for a while, and no other. */
export interface AppToken {
  token: string;
  /** Has the next request get a new one. */
  forget(): void;
}

/** The App's token for a repository; null where the App is not installed, or may not read. */
export type AppTokens = (
  settings: AppHost,
  repository: Pick<FoundRepository, "owner" | "name">,
  signal: AbortSignal | undefined,
) => Promise<AppToken | null>;

/** GitHub takes ten minutes at most, and no moment that its own clock has not reached. */
const SIGNED_FOR_SECONDS = 540;
const CLOCKS_APART_SECONDS = 60;
/** Far longer than a repository takes to be fetched. */
const RENEW_BEFORE_MS = 600_000;
const KEPT_MAX_MS = 3_600_000;
const KEPT_MAX = 1000;

const Installation = z.object({
  id: z.int().positive(),
  suspended_at: z.string().nullish(),
});
const Issued = z.object({
  token: z.string().max(1000).regex(/^[\x21-\x7e]+$/),
  expires_at: z.iso.datetime({ offset: true }),
});
type Issued = z.infer<typeof Issued>;

/** What the App says of itself: a JWT, signed with its key. */
export async function signedBy({ id, privateKey }: GitHubApp, now: Date): Promise<string> {
  const at = Math.floor(now.getTime() / 1000);
  return await new SignJWT()
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(id)
    .setIssuedAt(at - CLOCKS_APART_SECONDS)
    .setExpirationTime(at + SIGNED_FOR_SECONDS)
    .sign(privateKey);
}

/** Requests as the App. @throws {AppError} `unavailable` when the host does not take its key. */
function asApp(deps: CodeHostDeps, { host, apiUrl, app }: AppHost) {
  const { now } = deps;
  const guardedFetch = createGuardedFetch({ ...deps, apiUrl });
  return async function send<T>(
    path: string,
    body: unknown,
    asked: Asked<T>,
  ): Promise<T | null> {
    try {
      return await ask({ host, now }, async (signal) => {
        const headers = {
          "user-agent": "berth",
          accept: "application/vnd.github+json",
          authorization: `Bearer ${await signedBy(app, now())}`,
        };
        const url = `${apiUrl}${path}`;
        const response = body === undefined
          ? await guardedFetch(url, { headers, signal })
          // What asks for a token goes where the operator said, and nowhere else.
          : await deps.fetch(url, {
            method: "POST",
            headers: { ...headers, "content-type": "application/json" },
            body: JSON.stringify(body),
            redirect: "manual",
            signal,
          });
        if (response.ok) return await jsonOf(response);
        await response.body?.cancel();
        throw new FailedAnswer(response.status, response.headers);
      }, asked);
    } catch (error) {
      throw isUnauthorized(error) ? appRefused(host, error) : error;
    }
  };
}

/**
 * Asks the host whether it knows the App by its key.
 *
 * @throws {AppError} `unavailable` when it does not, or cannot say.
 */
export async function checkApp(
  deps: CodeHostDeps,
  settings: AppHost,
  signal: AbortSignal,
): Promise<void> {
  await asApp(deps, settings)("/app", undefined, { schema: z.unknown(), expected: [], signal });
}

/** Asks for a token that reads `repository` alone. */
async function issue(
  deps: CodeHostDeps,
  settings: AppHost,
  { owner, name }: Pick<FoundRepository, "owner" | "name">,
  signal: AbortSignal | undefined,
): Promise<Issued | null> {
  const send = asApp(deps, settings);
  const where = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/installation`;
  const asked = { schema: Installation, expected: ABSENT, signal };
  const installation = await send(where, undefined, asked);
  if (installation === null || (installation.suspended_at ?? null) !== null) return null;
  const limits = { repositories: [name], permissions: { contents: "read" } };
  return await send(`/app/installations/${installation.id}/access_tokens`, limits, {
    schema: Issued,
    // Not its own, suspended, or not what the App may.
    expected: [...ABSENT, 422],
    signal,
  });
}

/** Gets tokens, and keeps them until shortly before they expire. */
export function createAppTokens(deps: CodeHostDeps): AppTokens {
  const kept = new Map<string, { token: string; until: number }>();
  return async (settings, repository, signal) => {
    const key = lineName(settings.host, repository);
    const forget = () => void kept.delete(key);
    const known = kept.get(key);
    const at = deps.now().getTime();
    if (known !== undefined && known.until > at) return { token: known.token, forget };
    kept.delete(key);
    const issued = await issue(deps, settings, repository, signal);
    if (issued === null) return null;
    const { token, expires_at } = issued;
    const expires = Math.min(Date.parse(expires_at), at + KEPT_MAX_MS);
    kept.set(key, { token, until: expires - RENEW_BEFORE_MS });
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
    return { token, forget };
  };
}
