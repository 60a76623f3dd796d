/**
 * Kept values as rows.
 *
 * @module
 */
import { z } from "zod";
import type { Queryable } from "../database/client.ts";
import type { Envelope, Place } from "./key_ring.ts";
import type { Connection } from "./connection.ts";
import { coversHosts } from "./hosts.ts";
import { storedConfiguration } from "./stored_variables.ts";
import { type ProposedVariable, type Variable, variablesOf } from "./variables.ts";

/** What whoever enters a value agrees to. */
export const Terms = z.object({
  owner: z.string(),
  delivery: z.enum(["plain", "placeholder"]),
  hosts: z.array(z.string()),
  /** Who gave a value to everyone: nobody else agrees to what becomes of it. */
  by: z.string().optional(),
});
export type Terms = z.infer<typeof Terms>;

/** A row without what only lists show. */
export interface KeptRow {
  server: string;
  subject: string | null;
  name: string;
  key_id: string;
  wrapped: Uint8Array;
  sealed: Uint8Array;
}

/** A row with what lists show, and nothing of the value. */
export interface ListedRow {
  server: string;
  subject: string | null;
  name: string;
  key_id: string;
  terms: unknown;
  /** A {@link Connection}, where the value is one. */
  connection: unknown;
  set_at: Date;
  used_at: Date | null;
}

/** A server, as far as its values depend on it. */
export interface ServerTerms {
  owner: string;
  /** Whether its author declares the variables. */
  isDeclared: boolean;
  variables: Variable[];
}

interface TermsRow {
  name: string;
  owner: string;
  configuration: unknown;
  read_variables: ProposedVariable[] | null;
}

export function placeOf({ server, subject, name }: Place): Place {
  return { server, subject, name };
}

/** A client at another service as a row: what was registered for a variable of a server. */
export interface ClientRow {
  server: string;
  name: string;
  /** Who registered it: the server's owner, or Berth itself. */
  origin: "owner" | "registered";
  key_id: string;
  wrapped: Uint8Array;
  sealed: Uint8Array;
}

/** What a client is bound to; no variable has such a name. */
export function clientPlace(
  { server, name, origin }: Pick<ClientRow, "server" | "name" | "origin">,
): Place {
  return { server, subject: null, name: `${origin} client:${name}` };
}

/** What a user's token for a code host is bound to; no server has such a name. */
export function hostTokenPlace(
  { subject, host, path }: { subject: string; host: string; path: string },
): Place {
  return { server: `code host ${host}`, subject, name: path };
}

/** What values of these servers depend on; servers that are not there are left out. */
export async function findTerms(
  sql: Queryable,
  servers: readonly string[],
): Promise<Map<string, ServerTerms>> {
  if (servers.length === 0) return new Map();
  const rows = await sql<TermsRow[]>`
    select name, owner, configuration, report->'compatibility'->'environment' as read_variables
    from servers left join server_reports using (name) where name = any(${[...servers]})`;
  return new Map(rows.map((row) => {
    const configuration = storedConfiguration(row.configuration);
    const variables = variablesOf(configuration, row.read_variables ?? []);
    return [row.name, { owner: row.owner, isDeclared: configuration !== null, variables }];
  }));
}

/** What entering a value of `name` agrees to, as the server is now. */
export function termsOf({ owner, variables }: ServerTerms, name: string): Terms {
  const variable = variables.find((each) => each.name === name);
  return {
    owner,
    delivery: variable?.delivery ?? "plain",
    hosts: variable?.delivery === "placeholder" ? variable.hosts : [],
  };
}

/** Whether what was agreed to allows what the server asks for now. */
export function isAgreed(agreed: Terms, now: Terms): boolean {
  if (agreed.owner !== now.owner) return false;
  if (agreed.delivery === "plain") return true;
  return now.delivery === "placeholder" && coversHosts(agreed.hosts, now.hosts);
}

/** On this channel every node hears of values that were removed or replaced, as {@link KeptChange}. */
export const KEPT_CHANNEL = "berth_kept_values";

/** Whose values of which server; `subject` null: those for everyone. */
export const KeptChange = z.object({ server: z.string(), subject: z.string().nullable() });
export type KeptChange = z.infer<typeof KeptChange>;

/** Has sessions that run lose what they should not have any more, once the transaction is through. */
export async function announceChange(sql: Queryable, change: KeptChange): Promise<void> {
  await sql`select pg_notify(${KEPT_CHANNEL}, ${JSON.stringify(change)})`;
}

/** Stores a value, or the tokens of a connection, in the place of another. */
export async function putValue(
  sql: Queryable,
  { place: { server, subject, name }, envelope, terms, connection = null, now }: {
    place: Place;
    envelope: Envelope;
    terms: Terms;
    connection?: Connection | null;
    now: Date;
  },
): Promise<void> {
  const told = connection === null ? null : sql.json(connection);
  await sql`
    insert into kept_values (server, subject, name, key_id, wrapped, sealed, terms, connection, set_at)
    values (${server}, ${subject}, ${name}, ${envelope.keyId}, ${envelope.wrapped},
      ${envelope.sealed}, ${sql.json(terms)}, ${told}, ${now})
    on conflict (server, subject, name) do update set
      key_id = excluded.key_id, wrapped = excluded.wrapped, sealed = excluded.sealed,
      terms = excluded.terms, connection = excluded.connection, set_at = excluded.set_at,
      renewing_until = null, used_at = null`;
}
