/**
 * Looking at author names and their owners.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";
import { authorKey, isUsername } from "../../names/namespaces.ts";
import type { AuthorOwners, OwnAuthors, OwnerInvitation } from "./owners_schema.ts";

/** The name as it was first written; null when nobody has it. */
export async function findAuthor(sql: Queryable, author: string): Promise<string | null> {
  // What cannot be a name is not looked for: PostgreSQL refuses texts with NUL.
  if (author.includes("\0") || !author.isWellFormed()) return null;
  const [row] = await sql<{ author: string }[]>`
    select author from author_namespaces where author_key = ${authorKey(author)}`;
  return row?.author ?? null;
}

interface InvitationRow {
  invited_by: string;
  created_at: Date;
  expires_at: Date;
}

function shownInvitation<T extends InvitationRow>({ created_at, expires_at, ...rest }: T) {
  return {
    ...rest,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
}

/** Everybody who has or may get a part in `author`, which somebody has. */
export async function ownersOf(sql: Queryable, author: string, now: Date): Promise<AuthorOwners> {
  const key = authorKey(author);
  const owners = await sql<{ username: string; since: Date }[]>`
    select u.username, o.created_at as since
    from namespace_owners o join users u on u.subject = o.owner
    where o.author_key = ${key} order by o.created_at, o.owner`;
  const invitations = await sql<(InvitationRow & Pick<OwnerInvitation, "username">)[]>`
    select invitee.username, inviter.username as invited_by, i.created_at, i.expires_at
    from namespace_invitations i
      join users invitee on invitee.subject = i.invitee
      join users inviter on inviter.subject = i.inviter
    where i.author_key = ${key} and i.expires_at > ${now}
    order by i.created_at, invitee.username`;
  return {
    author: (await findAuthor(sql, author))!,
    personal: await isUsername(sql, author),
    owners: owners.map(({ username, since }) => ({ username, since: since.toISOString() })),
    invitations: invitations.map(shownInvitation),
  };
}

/** The author names that `userId` owns or is invited to own, in order. */
export async function authorsOf(sql: Queryable, userId: string, now: Date): Promise<OwnAuthors> {
  const authors = await sql<OwnAuthors["authors"]>`
    select n.author,
      exists (select 1 from users u where u.username = n.author_key) as personal,
      (select count(*)::int from namespace_owners o where o.author_key = n.author_key) as owners
    from namespace_owners mine join author_namespaces n using (author_key)
    where mine.owner = ${userId} order by n.author_key`;
  const invitations = await sql<(InvitationRow & { author: string })[]>`
    select n.author, inviter.username as invited_by, i.created_at, i.expires_at
    from namespace_invitations i
      join author_namespaces n using (author_key)
      join users inviter on inviter.subject = i.inviter
    where i.invitee = ${userId} and i.expires_at > ${now}
    order by i.created_at, n.author_key`;
  return {
    authors: authors.map((row) => ({ ...row })),
    invitations: invitations.map(shownInvitation),
  };
}
