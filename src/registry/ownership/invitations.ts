/**
 * The `namespace_invitations` table: who is invited to own an author name.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";
import { authorKey } from "../../names/namespaces.ts";

const INVITED_DAYS = 14;
const DAY_MS = 86_400_000;

/** An offer to own an author name together with its present owners. */
export interface Invitation {
  author: string;
  /** Token subjects. */
  invitee: string;
  inviter: string;
}

export interface StoredInvitation {
  invitee: string;
  created_at: Date;
  expires_at: Date;
}

/** The invitations to own `author` that are open at `now`. */
export async function openInvitations(
  sql: Queryable,
  author: string,
  now: Date,
): Promise<StoredInvitation[]> {
  return await sql<StoredInvitation[]>`
    select invitee, created_at, expires_at from namespace_invitations
    where author_key = ${authorKey(author)} and expires_at > ${now}
    order by created_at, invitee`;
}

/** Stores an invitation, in place of an earlier one of the same user. */
export async function putInvitation(
  sql: Queryable,
  { author, invitee, inviter }: Invitation,
  now: Date,
): Promise<void> {
  const until = new Date(now.getTime() + INVITED_DAYS * DAY_MS);
  await sql`
    insert into namespace_invitations (author_key, invitee, inviter, created_at, expires_at)
    values (${authorKey(author)}, ${invitee}, ${inviter}, ${now}, ${until})
    on conflict (author_key, invitee) do update set inviter = excluded.inviter,
      created_at = excluded.created_at, expires_at = excluded.expires_at`;
}

/** Takes an invitation away; returns whether it was open. */
export async function dropInvitation(
  sql: Queryable,
  author: string,
  invitee: string,
  now: Date,
): Promise<boolean> {
  const [dropped] = await sql<{ open: boolean }[]>`
    delete from namespace_invitations
    where author_key = ${authorKey(author)} and invitee = ${invitee}
    returning expires_at > ${now} as open`;
  return dropped?.open ?? false;
}

/** Forgets the invitations that have run out. */
export async function removeExpiredInvitations(sql: Queryable, now: Date): Promise<number> {
  const { count } = await sql`delete from namespace_invitations where expires_at <= ${now}`;
  return count;
}
