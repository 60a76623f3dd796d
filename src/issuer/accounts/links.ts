/**
 * Links that work once: to choose a first password, a new one, to become administrator, or to make an
 * account by invitation. The
 * database has a digest only, so a copy of it opens nothing.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";
import { randomSecret, sha256Hex } from "../digest.ts";

export type LinkPurpose = "sign_up" | "reset" | "admin" | "first" | "invite";

const HOUR_MS = 3_600_000;

/** How long links work, in milliseconds. */
export const LINK_LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = {
  sign_up: 24 * HOUR_MS,
  reset: HOUR_MS,
  admin: 7 * 24 * HOUR_MS,
  first: 7 * 24 * HOUR_MS,
  invite: 7 * 24 * HOUR_MS,
};

/** A link that was not used yet. */
export interface Link {
  /** Address that a first password is for. */
  email: string | null;
  /** Account that it is for, where there is one already. */
  accountId: string | null;
  /** Sign-in that goes on afterwards. */
  interaction: string | null;
}

/** Makes a link; returns its secret, which is known nowhere else. */
export async function createLink(
  sql: Queryable,
  link: Link & { purpose: LinkPurpose; now: Date },
): Promise<string> {
  const secret = randomSecret();
  const expiresAt = new Date(link.now.getTime() + LINK_LIFETIME_MS[link.purpose]);
  await sql`
    insert into issuer_links
      (digest, purpose, email, account_id, interaction, created_at, expires_at)
    values (${await sha256Hex(secret)}, ${link.purpose}, ${link.email}, ${link.accountId},
      ${link.interaction}, ${link.now}, ${expiresAt})`;
  return secret;
}

/** What a link looks up. */
export interface LinkKey {
  purpose: LinkPurpose;
  secret: string;
  now: Date;
}

/** The link, which stays usable; null when it is unknown, used or expired. */
export async function findLink(sql: Queryable, key: LinkKey): Promise<Link | null> {
  const [link] = await sql<Link[]>`
    select email, account_id as "accountId", interaction from issuer_links
    where digest = ${await sha256Hex(key.secret)} and purpose = ${key.purpose}
      and expires_at > ${key.now}`;
  return link ?? null;
}

/** Uses the link up; null when it is unknown, used or expired. */
export async function useLink(sql: Queryable, key: LinkKey): Promise<Link | null> {
  const [link] = await sql<Link[]>`
    delete from issuer_links
    where digest = ${await sha256Hex(key.secret)} and purpose = ${key.purpose}
      and expires_at > ${key.now}
    returning email, account_id as "accountId", interaction`;
  return link ?? null;
}

/** Ends every link for one purpose to an account or address. */
export async function dropLinks(
  sql: Queryable,
  purpose: LinkPurpose,
  of: { accountId: string } | { email: string },
): Promise<void> {
  if ("accountId" in of) {
    await sql`
      delete from issuer_links where purpose = ${purpose} and account_id = ${of.accountId}`;
  } else {
    await sql`
      delete from issuer_links where purpose = ${purpose} and lower(email) = lower(${of.email})`;
  }
}
