/**
 * What is kept for the sessions of a user.
 *
 * @module
 */
import { tokensIn } from "./connection.ts";
import type { KeysDeps } from "./deps.ts";
import { standingOf } from "./list.ts";
import { findTerms, type KeptRow, placeOf, type ServerTerms } from "./store.ts";

/** What one row gives to a session; `state` tells why it may be nothing. */
export type KeptValue =
  | {
    state: "ready";
    name: string;
    value: string;
    /** Hosts that it may be sent to; null where the code gets it. */
    hosts: readonly string[] | null;
    /** Whether it is a token that changes while the session lives. */
    isConnection?: true;
    /** Tells it from what was kept before and after it: see {@link keptOrigins}. */
    origin: string;
  }
  /**
   * `changed`: the server asks for more than was agreed to. `reconnect`: its user has to sign in at the
   * other service again.
   */
  | { state: "changed" | "unreadable" | "reconnect"; name: string };

type Row = KeptRow & { terms: unknown; connection: unknown; set_at: Date };

function originOf({ subject, name, set_at: at }: Pick<Row, "subject" | "name" | "set_at">): string {
  return `${subject === null ? "everyone" : "me"} ${name} ${at.toISOString()}`;
}

async function valueOf(
  { ring, now }: KeysDeps,
  server: ServerTerms,
  row: Row,
): Promise<KeptValue> {
  const { name } = row;
  const at = { ids: ring?.ids ?? [], now: now() };
  const { state, asked, connection } = standingOf(row, server, at);
  if (state !== "ready") return { state, name };
  const envelope = { keyId: row.key_id, wrapped: row.wrapped, sealed: row.sealed };
  const opened = await ring!.open(placeOf(row), envelope);
  if (opened === null) return { state: "unreadable", name };
  return {
    state,
    name,
    value: connection === null ? opened : tokensIn(opened).access,
    hosts: asked.delivery === "placeholder" ? asked.hosts : null,
    origin: originOf(row),
    ...(connection === null ? {} : { isConnection: true }),
  };
}

/** Notes that the values of `used` were given to a session, once a minute at most. */
async function noteUse(
  { sql, now }: KeysDeps,
  server: string,
  used: readonly Row[],
): Promise<void> {
  const time = now();
  for (const subject of new Set(used.map((row) => row.subject))) {
    const names = used.filter((row) => row.subject === subject).map(({ name }) => name);
    await sql`
      update kept_values set used_at = ${time}
      where server = ${server} and subject is not distinct from ${subject}
        and name in ${sql(names)}
        and (used_at is null or used_at < ${new Date(time.getTime() - 60_000)})`;
  }
}

/** Values for a session of the user; a user's own come before those for everyone. */
export async function keptValues(
  deps: KeysDeps,
  server: string,
  userId: string,
): Promise<KeptValue[]> {
  const rows = await deps.sql<Row[]>`
    select server, subject, name, key_id, wrapped, sealed, terms, connection, set_at from kept_values
    where server = ${server} and (subject = ${userId} or subject is null)
    order by subject nulls first`;
  if (rows.length === 0) return [];
  const terms = (await findTerms(deps.sql, [server])).get(server);
  if (terms === undefined) return [];
  const found = new Map<string, KeptValue>();
  const used = new Map<string, Row>();
  for (const row of rows) {
    const value = await valueOf(deps, terms, row);
    // One of no use leaves in place what everyone gets.
    if (value.state === "ready" || !found.has(value.name)) found.set(value.name, value);
    if (value.state === "ready") used.set(value.name, row);
  }
  await noteUse(deps, server, [...used.values()]);
  return [...found.values()];
}

/**
 * Origins of what is kept for the user's sessions of a server now. A session whose value has another
 * goes on with what was removed or replaced.
 */
export async function keptOrigins(
  { sql }: Pick<KeysDeps, "sql">,
  server: string,
  userId: string,
): Promise<Set<string>> {
  const rows = await sql<Pick<Row, "subject" | "name" | "set_at">[]>`
    select subject, name, set_at from kept_values
    where server = ${server} and (subject = ${userId} or subject is null)`;
  return new Set(rows.map(originOf));
}
