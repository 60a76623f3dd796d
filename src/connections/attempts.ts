/**
 * Sign-ins at other services that have begun, as rows. Each is good for one answer.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Queryable } from "../database/client.ts";
import { SignInService } from "../keys/services.ts";
import { Terms } from "../keys/store.ts";
import { ServiceMetadata } from "./metadata.ts";

/** How long a user may take at the other service. */
export const ATTEMPT_SECONDS = 600;

const Begun = z.object({
  declared: SignInService,
  metadata: ServiceMetadata,
  /** The client that the service was told. */
  client_id: z.string(),
});

/** A sign-in that a user has begun. */
export interface Attempt {
  server: string;
  subject: string;
  name: string;
  terms: Terms;
  service: z.infer<typeof Begun>;
}

function idOf(state: string): string {
  return createHash("sha256").update(state).digest("hex");
}

/** Stores an attempt; those that nobody has come back for are removed. */
export async function putAttempt(
  sql: Queryable,
  state: string,
  { server, subject, name, terms, service }: Attempt,
  now: Date,
): Promise<void> {
  await sql`delete from connection_attempts where expires_at < ${now}`;
  const expires = new Date(now.getTime() + ATTEMPT_SECONDS * 1000);
  await sql`
    insert into connection_attempts (id, server, subject, name, terms, service, expires_at)
    values (${idOf(state)}, ${server}, ${subject}, ${name}, ${sql.json(terms)},
      ${sql.json(service)}, ${expires})`;
}

/** The attempt of a state, which nobody can take again; null when there is none. */
export async function takeAttempt(
  sql: Queryable,
  state: string,
  now: Date,
): Promise<Attempt | null> {
  const [row] = await sql<(Attempt & { expires_at: Date })[]>`
    delete from connection_attempts where id = ${idOf(state)}
    returning server, subject, name, terms, service, expires_at`;
  if (row === undefined || row.expires_at <= now) return null;
  const { server, subject, name } = row;
  return {
    server,
    subject,
    name,
    terms: Terms.parse(row.terms),
    service: Begun.parse(row.service),
  };
}
