/**
 * Invitations that nobody has used yet, for administrators.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import type { Queryable, Sql } from "../../database/client.ts";
import { dropLinks } from "./links.ts";

/** An invitation whose link still works. */
export interface PendingInvitation {
  email: string;
  createdAt: Date;
  expiresAt: Date;
}

const SHOWN = 200;

/** The invitations that still work, the latest first. */
export async function listInvitations(sql: Queryable, now: Date): Promise<PendingInvitation[]> {
  return await sql<PendingInvitation[]>`
    select email, created_at as "createdAt", expires_at as "expiresAt" from issuer_links
    where purpose = 'invite' and expires_at > ${now}
    order by created_at desc, email limit ${SHOWN}`;
}

/** Ends the invitation of `email`, whether there is one or not. */
export async function withdrawInvitation(
  sql: Sql,
  change: { email: string; actor: string; requestId: string; at: Date },
): Promise<void> {
  const { email, ...rest } = change;
  await sql.begin(async (tx) => {
    await dropLinks(tx, "invite", { email });
    await recordChange(tx, { ...rest, action: "account.invite_withdraw", subject: email });
  });
}
