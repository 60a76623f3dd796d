/**
 * Forgetting kept values.
 *
 * @module
 */
import { recordChange } from "../audit/audit.ts";
import type { Queryable } from "../database/client.ts";
import type { Caller } from "../identity/caller.ts";
import { BERTH } from "../access/rule.ts";
import type { RequestContext } from "../request.ts";
import type { KeysDeps } from "./deps.ts";
import { noSuchValue } from "./failures.ts";
import { auditSubject, subjectOf } from "./keep.ts";
import { serverTerms } from "./shown_terms.ts";
import { announceChange } from "./store.ts";
import type { AUDIENCES } from "./schema.ts";

/** Which values are meant. */
export interface RemovedKeys {
  server: string;
  /** Null: all of the caller's. */
  variable: string | null;
  for: (typeof AUDIENCES)[number];
}

/** Whether anything of the server is kept for the caller, or was given by them. */
async function hasValues(
  sql: Queryable,
  { userId }: Pick<Caller, "userId">,
  server: string,
): Promise<boolean> {
  const rows = await sql`
    select from kept_values
    where server = ${server}
      and (subject = ${userId} or subject is null and terms->>'by' = ${userId}) limit 1`;
  return rows.length > 0;
}

/** Whether the caller gave these values to everyone: they may take them back from a later owner. */
async function gave(
  sql: Queryable,
  { userId }: Pick<Caller, "userId">,
  { server, variable }: Pick<RemovedKeys, "server" | "variable">,
): Promise<boolean> {
  if (variable === null) return false;
  const rows = await sql`
    select from kept_values where server = ${server} and subject is null and name = ${variable}
      and terms->>'by' = ${userId}`;
  return rows.length > 0;
}

/**
 * Removes kept values, also from sessions that run: what only the broker has is sent no more, and
 * sessions whose code has one end.
 *
 * @returns The names.
 * @throws {AppError} `not_found`, also when there is no such value; `forbidden`.
 */
export async function removeValues(
  { sql, now }: Pick<KeysDeps, "sql" | "now">,
  caller: Caller,
  { server, variable, for: audience }: RemovedKeys,
  context: RequestContext,
): Promise<string[]> {
  // What is one's own can be removed wherever it is.
  const viewer = await hasValues(sql, caller, server) ? BERTH : caller;
  const { owner } = await serverTerms(sql, viewer, server);
  const isGiver = audience === "everyone" && await gave(sql, caller, { server, variable });
  const subject = isGiver ? null : subjectOf(caller, audience, { server, owner });
  return await sql.begin(async (tx) => {
    const rows = await tx<{ name: string }[]>`
      delete from kept_values
      where server = ${server} and subject is not distinct from ${subject}
        and (${variable}::text is null or name = ${variable})
      returning name`;
    const names = rows.map(({ name }) => name).sort();
    if (variable !== null && names.length === 0) throw noSuchValue(server, variable);
    if (names.length > 0) await announceChange(tx, { server, subject });
    for (const name of names) {
      await recordChange(tx, {
        actor: caller.userId,
        action: "keys.remove",
        subject: auditSubject(server, subject, name),
        requestId: context.requestId,
        at: now(),
        details: { variable: name, for: audience },
      });
    }
    return names;
  });
}
