/**
 * Tokens as they are now: renewed before they run out, by one node at a time.
 *
 * @module
 */
import { BERTH } from "../access/rule.ts";
import type { Queryable } from "../database/client.ts";
import { Connection, isSpent, type Tokens, tokensIn } from "../keys/connection.ts";
import type { Place } from "../keys/key_ring.ts";
import { type KeptRow, placeOf } from "../keys/store.ts";
import { findClient } from "./clients.ts";
import type { ConnectionsDeps } from "./deps.ts";
import { connectionOf } from "./finish.ts";
import type { ServiceMetadata } from "./metadata.ts";
import { NoAnswer, REQUEST_TIMEOUT_MS } from "./request.ts";
import { findConnectable } from "./terms.ts";
import { type Granted, requestTokens } from "./tokens.ts";

/** A token is renewed when it has less than this to go. */
const MARGIN_MS = 60_000;
/** How long a node has the right to renew: longer than it can take. */
const LEASE_MS = 3 * REQUEST_TIMEOUT_MS;
/** How long nobody tries again at a service that was out of reach. */
const PAUSE_MS = 5_000;
const POLL_MS = 100;

/** The token of a connection; `away`: it has run out, and its service is out of reach. */
export type CurrentToken = { kind: "token"; token: string } | { kind: "gone" } | { kind: "away" };

type Row = KeptRow & { connection: unknown };

/** A row that is a connection. */
interface Held {
  row: Row;
  connection: Connection;
}

const GONE: CurrentToken = { kind: "gone" };
const AWAY: CurrentToken = { kind: "away" };

async function findRow(sql: Queryable, { server, subject, name }: Place): Promise<Held | null> {
  const [row] = await sql<Row[]>`
    select server, subject, name, key_id, wrapped, sealed, connection from kept_values
    where server = ${server} and subject = ${subject} and name = ${name}
      and connection is not null`;
  return row === undefined ? null : { row, connection: Connection.parse(row.connection) };
}

async function tokensOf({ ring }: ConnectionsDeps, row: Row): Promise<Tokens | null> {
  const envelope = { keyId: row.key_id, wrapped: row.wrapped, sealed: row.sealed };
  const opened = await ring?.open(placeOf(row), envelope) ?? null;
  return opened === null ? null : tokensIn(opened);
}

function left({ expires_at }: Connection, now: Date): number {
  return expires_at === null ? Infinity : Date.parse(expires_at) - now.getTime();
}

function isDue(connection: Connection, now: Date): boolean {
  return connection.renews && left(connection, now) < MARGIN_MS;
}

/** The right to renew, which one node has at a time; false when another has it. */
async function lease({ sql, now }: ConnectionsDeps, { row }: Held): Promise<boolean> {
  const time = now();
  const taken = await sql`
    update kept_values set renewing_until = ${new Date(time.getTime() + LEASE_MS)}
    where server = ${row.server} and subject = ${row.subject} and name = ${row.name}
      and sealed = ${row.sealed} and (renewing_until is null or renewing_until < ${time})
    returning 1`;
  return taken.length > 0;
}

/** The client with which the token was given, as it is now: its secret may have been renewed. */
async function clientOf(deps: ConnectionsDeps, { row }: Held, tokens: Tokens) {
  const { server, name } = row;
  try {
    const { service, terms, whole } = await findConnectable(deps.sql, BERTH, server, name);
    const wanted = { server, name, owner: whole.owner, service, hosts: terms.hosts };
    const nothing: ServiceMetadata = {
      issuer: null,
      authorization_endpoint: "",
      token_endpoint: tokens.token_endpoint,
      revocation_endpoint: null,
      registration_endpoint: null,
      methods: [tokens.client.method],
      names_itself: false,
      takes_documents: false,
    };
    const found = await findClient(deps, wanted, nothing);
    return found?.id === tokens.client.id ? { ...found, method: tokens.client.method } : null;
  } catch {
    // The server declares it no more; what was kept with the token will do.
    return null;
  }
}

/** Stores new tokens; where the connection has gone meanwhile, their service is told. */
async function store(
  { sql, ring, now }: ConnectionsDeps,
  { row, connection }: Held,
  tokens: Tokens,
  granted: Granted,
): Promise<void> {
  const renewed: Tokens = {
    ...tokens,
    access: granted.access,
    refresh: granted.refresh ?? tokens.refresh,
  };
  const place = placeOf(row);
  const { keyId, wrapped, sealed } = await ring!.seal(place, JSON.stringify(renewed));
  const next = connectionOf(connection, { ...granted, refresh: renewed.refresh }, now());
  const told = { ...next, granted: granted.scopes ?? connection.granted };
  await sql.begin(async (tx) => {
    const changed = await tx`
      update kept_values set key_id = ${keyId}, wrapped = ${wrapped}, sealed = ${sealed},
        connection = ${tx.json(told)}, renewing_until = null
      where server = ${row.server} and subject = ${row.subject} and name = ${row.name}
        and sealed = ${row.sealed} returning 1`;
    if (changed.length > 0) return;
    await tx`
      insert into connection_endings (server, subject, name, key_id, wrapped, sealed, due_at)
      values (${row.server}, ${row.subject}, ${row.name}, ${keyId}, ${wrapped}, ${sealed},
        ${now()})`;
  });
}

/** The service gives no new token any more. */
async function markEnded({ sql }: ConnectionsDeps, { row, connection }: Held): Promise<void> {
  await sql`
    update kept_values set connection = ${sql.json({ ...connection, ended: true })},
      renewing_until = null
    where server = ${row.server} and subject = ${row.subject} and name = ${row.name}
      and sealed = ${row.sealed}`;
}

async function pause({ sql, now }: ConnectionsDeps, { row }: Held): Promise<void> {
  await sql`
    update kept_values set renewing_until = ${new Date(now().getTime() + PAUSE_MS)}
    where server = ${row.server} and subject = ${row.subject} and name = ${row.name}
      and sealed = ${row.sealed}`;
}

/** Renews a token; this node has the right to. */
async function renew(deps: ConnectionsDeps, held: Held): Promise<CurrentToken> {
  const { log, ask } = deps;
  const { row, connection } = held;
  const tokens = await tokensOf(deps, row);
  const refresh = tokens?.refresh ?? null;
  if (tokens === null || refresh === null) return GONE;
  const fields = { grant_type: "refresh_token", refresh_token: refresh };
  try {
    const client = await clientOf(deps, held, tokens) ?? tokens.client;
    const endpoint = tokens.token_endpoint;
    const outcome = await requestTokens(ask, { endpoint, client, fields });
    if (outcome.kind === "granted") {
      await store(deps, held, { ...tokens, client }, outcome.granted);
      return { kind: "token", token: outcome.granted.access };
    }
    await markEnded(deps, held);
    const { server, name } = row;
    log.info("connections.ended", { server, variable: name, reason: outcome.reason });
    return GONE;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    log.warn("connections.not_renewed", { server: row.server, variable: row.name, error });
    await pause(deps, held);
    return left(connection, deps.now()) > 0 ? { kind: "token", token: tokens.access } : AWAY;
  }
}

/** The token as it stands in the row. */
async function standing(deps: ConnectionsDeps, { row, connection }: Held): Promise<CurrentToken> {
  if (isSpent(connection, deps.now())) return GONE;
  const tokens = await tokensOf(deps, row);
  return tokens === null ? GONE : { kind: "token", token: tokens.access };
}

/**
 * The token of a user's connection, renewed if it is about to run out. While another node renews it,
 * this one waits for that.
 */
export async function currentToken(deps: ConnectionsDeps, place: Place): Promise<CurrentToken> {
  const rounds = LEASE_MS / POLL_MS;
  for (let round = 0; round < rounds; round++) {
    const held = await findRow(deps.sql, place);
    if (held === null) return GONE;
    const time = deps.now();
    if (isSpent(held.connection, time) || !isDue(held.connection, time)) {
      return await standing(deps, held);
    }
    if (await lease(deps, held)) return await renew(deps, held);
    // It still holds: whoever renews it is not waited for.
    if (left(held.connection, time) > 0) return await standing(deps, held);
    await deps.sleep(POLL_MS);
  }
  return AWAY;
}

/** Renews what is about to run out of the connections that a session of the user will get. */
export async function freshen(
  deps: ConnectionsDeps,
  server: string,
  userId: string,
): Promise<void> {
  const rows = await deps.sql<{ name: string }[]>`
    select name from kept_values
    where server = ${server} and subject = ${userId} and connection is not null`;
  await Promise.all(
    rows.map(({ name }) => currentToken(deps, { server, subject: userId, name })),
  );
}
