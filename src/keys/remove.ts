/**
 * Forgetting kept values.
 *
 * @module
 */
import { recordChange } from "../audit/audit.ts";
import type { Caller } from "../identity/caller.ts";
import type { RequestContext } from "../request.ts";
import type { KeysDeps } from "./deps.ts";
import { noSuchValue } from "./failures.ts";
import { auditSubject, subjectOf } from "./keep.ts";
import { serverTerms } from "./shown_terms.ts";
import type { AUDIENCES } from "./schema.ts";

/** Which values are meant. */
export interface RemovedKeys {
  server: string;
  /** Null: all of the caller's. */
  variable: string | null;
  for: (typeof AUDIENCES)[number];
}

/**
 * Removes kept values; running sessions go on with what they have.
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
  const { owner } = await serverTerms(sql, server);
  const subject = subjectOf(caller, audience, { server, owner });
  return await sql.begin(async (tx) => {
    const rows = await tx<{ name: string }[]>`
      delete from kept_values
      where server = ${server} and subject is not distinct from ${subject}
        and (${variable}::text is null or name = ${variable})
      returning name`;
    const names = rows.map(({ name }) => name).sort();
    if (variable !== null && names.length === 0) throw noSuchValue(server, variable);
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
