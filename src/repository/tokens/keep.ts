/**
 * Keeping and forgetting tokens for code hosts.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import type { AddressHost } from "../../code_host_settings.ts";
import type { Queryable } from "../../database/client.ts";
import type { Caller } from "../../identity/caller.ts";
import { nothingKept } from "../../keys/failures.ts";
import { hostTokenPlace } from "../../keys/store.ts";
import type { RequestContext } from "../../request.ts";
import { hostNotServed, noSuchToken, tooManyTokens } from "../failures.ts";
import type { KeepHostToken } from "./schema.ts";
import type { HostTokenDeps } from "./store.ts";

/** Most tokens of one user. */
const TOKENS_MAX = 100;

/** Each user has at most one token for a path of a host. */
export interface TokenPlace {
  host: string;
  path: string;
}

/** @throws {AppError} `conflict` when the user has as many others as they may. */
async function checkRoom(sql: Queryable, subject: string, { host, path }: TokenPlace) {
  const [row] = await sql<[{ others: number }]>`
    select count(*)::int as others from code_host_tokens
    where subject = ${subject} and (host, path) <> (${host}, ${path})`;
  if (row.others >= TOKENS_MAX) throw tooManyTokens(TOKENS_MAX);
}

/**
 * Keeps a token, in the place of an older one for the same.
 *
 * @throws {AppError} `not_found` for a host that is not served, `conflict` where nothing is kept or
 * there is no room.
 */
export async function keepHostToken(
  { sql, now, ring, codeHosts }: HostTokenDeps & { codeHosts: readonly AddressHost[] },
  { userId: subject }: Caller,
  host: string,
  { token, path }: KeepHostToken,
  { requestId }: RequestContext,
): Promise<void> {
  if (!codeHosts.some((one) => one.host === host)) throw hostNotServed(host);
  if (ring === null) throw nothingKept();
  const { keyId, wrapped, sealed } = await ring.seal(
    hostTokenPlace({ subject, host, path }),
    token,
  );
  const at = now();
  await sql.begin(async (tx) => {
    await checkRoom(tx, subject, { host, path });
    await tx`
      insert into code_host_tokens (subject, host, path, key_id, wrapped, sealed, set_at)
      values (${subject}, ${host}, ${path}, ${keyId}, ${wrapped}, ${sealed}, ${at})
      on conflict (subject, host, path) do update set
        key_id = excluded.key_id, wrapped = excluded.wrapped, sealed = excluded.sealed,
        set_at = excluded.set_at, used_at = null, refused_at = null`;
    const details = { host, path };
    const change = { actor: subject, subject: host, requestId, at, details };
    await recordChange(tx, { ...change, action: "code_host.token_set" });
  });
}

/**
 * Forgets a token. What was published with it stays.
 *
 * @throws {AppError} `not_found` when there is none.
 */
export async function removeHostToken(
  { sql, now }: HostTokenDeps,
  { userId: subject }: Caller,
  { host, path }: TokenPlace,
  { requestId }: RequestContext,
): Promise<void> {
  await sql.begin(async (tx) => {
    const removed = await tx`
      delete from code_host_tokens
      where subject = ${subject} and host = ${host} and path = ${path} returning 1`;
    if (removed.length === 0) throw noSuchToken(host);
    const details = { host, path };
    const change = { actor: subject, subject: host, requestId, at: now(), details };
    await recordChange(tx, { ...change, action: "code_host.token_remove" });
  });
}
