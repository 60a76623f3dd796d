/**
 * Kept values as rows.
 *
 * @module
 */
import { z } from "zod";
import type { Queryable } from "../database/client.ts";
import type { Envelope, Place } from "./key_ring.ts";
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

/** Stores a value in the place of another. */
export async function putValue(
  sql: Queryable,
  { place: { server, subject, name }, envelope, terms, now }: {
    place: Place;
    envelope: Envelope;
    terms: Terms;
    now: Date;
  },
): Promise<void> {
  await sql`
    insert into kept_values (server, subject, name, key_id, wrapped, sealed, terms, set_at)
    values (${server}, ${subject}, ${name}, ${envelope.keyId}, ${envelope.wrapped},
      ${envelope.sealed}, ${sql.json(terms)}, ${now})
    on conflict (server, subject, name) do update set
      key_id = excluded.key_id, wrapped = excluded.wrapped, sealed = excluded.sealed,
      terms = excluded.terms, set_at = excluded.set_at, used_at = null`;
}
