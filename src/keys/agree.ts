/**
 * Agreeing to what a server does with values now.
 *
 * @module
 */
import { recordChange } from "../audit/audit.ts";
import type { Caller } from "../identity/caller.ts";
import type { RequestContext } from "../request.ts";
import type { KeysDeps } from "./deps.ts";
import { auditSubject } from "./keep.ts";
import { standingOf } from "./list.ts";
import { checkShown, serverTerms } from "./shown_terms.ts";
import type { ListedRow } from "./store.ts";

/**
 * Gives the caller's kept values to a server as it is now: with its owner, the hosts that it
 * declares and the way in which its code gets them. Among them is what they gave to everyone, while
 * they may: a later owner could otherwise have the value sent anywhere.
 *
 * @returns Names of the values that waited for it.
 * @throws {AppError} `not_found`, `conflict` when another server than this was `shown`.
 */
export async function agreeToServer(
  { sql, now, ring }: KeysDeps,
  caller: Caller,
  { server, shown }: { server: string; shown?: string },
  context: RequestContext,
): Promise<string[]> {
  return await sql.begin(async (tx) => {
    const terms = await serverTerms(tx, caller, server);
    const isOwner = caller.isAdmin || caller.userId === terms.owner;
    checkShown(server, terms, shown);
    const rows = await tx<ListedRow[]>`
      select name, terms, key_id, subject, connection from kept_values
      where server = ${server} and (subject = ${caller.userId}
        or ${isOwner} and subject is null and terms->>'by' = ${caller.userId})
      order by name, subject nulls last for update`;
    const names = new Set<string>();
    const at = { ids: ring?.ids ?? [], now: now() };
    for (const row of rows) {
      const { agreed, asked, state } = standingOf(row, terms, at);
      // Other scopes, or another service, take another sign-in there.
      if (state !== "changed") continue;
      names.add(row.name);
      await tx`
        update kept_values set terms = ${tx.json({ ...agreed, ...asked })}
        where server = ${server} and subject is not distinct from ${row.subject}
          and name = ${row.name}`;
      await recordChange(tx, {
        actor: caller.userId,
        action: "keys.agree",
        subject: auditSubject(server, row.subject, row.name),
        requestId: context.requestId,
        at: now(),
        details: { variable: row.name, delivery: asked.delivery, hosts: asked.hosts },
      });
    }
    return [...names];
  });
}
