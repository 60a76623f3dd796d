/**
 * What a server does with values, as it was shown to whoever agrees to it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Queryable } from "../database/client.ts";
import { mayRead, type Viewer } from "../access/rule.ts";
import type { KeysDeps } from "./deps.ts";
import { noSuchServer, termsChanged } from "./failures.ts";
import { serviceId, serviceLabel } from "./services.ts";
import { findTerms, type ServerTerms, termsOf } from "./store.ts";

/** The terms of a server that `viewer` may read. @throws {AppError} `not_found`. */
export async function serverTerms(
  sql: Queryable,
  viewer: Viewer,
  server: string,
): Promise<ServerTerms> {
  if (!await mayRead(sql, viewer, server)) throw noSuchServer(server);
  const terms = (await findTerms(sql, [server])).get(server);
  if (terms === undefined) throw noSuchServer(server);
  return terms;
}

/**
 * A text that changes with the server's owner, its hosts, the way in which code gets values, and the
 * services at which users sign in.
 */
export function termsDigest(server: ServerTerms): string {
  const names = server.variables.map(({ name }) => name).sort();
  const terms = names.map((name) => {
    const { delivery, hosts } = termsOf(server, name);
    const oauth = server.variables.find((each) => each.name === name)?.oauth ?? null;
    const service = oauth && [serviceId(oauth), serviceLabel(oauth), [...oauth.scopes].sort()];
    return [name, delivery, [...hosts].sort(), service];
  });
  return createHash("sha256").update(JSON.stringify([server.owner, terms])).digest("base64url");
}

/**
 * The digest of a server's terms now. Read it before what is shown: then nothing is agreed to that
 * was not.
 *
 * @throws {AppError} `not_found`.
 */
export async function findTermsDigest(
  { sql }: Pick<KeysDeps, "sql">,
  viewer: Viewer,
  server: string,
): Promise<string> {
  return termsDigest(await serverTerms(sql, viewer, server));
}

/** @throws {AppError} `conflict` when other terms were shown than the server has now. */
export function checkShown(name: string, server: ServerTerms, shown: string | undefined): void {
  if (shown !== undefined && shown !== termsDigest(server)) throw termsChanged(name);
}
