/**
 * Accounts of the embedded issuer.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";

/** Name that tokens give to sign-in by e-mail address and password. */
export const PASSWORD_PROVIDER = "password";

/** A user of the embedded issuer, with the ways to sign in. */
export interface Account {
  /** Subject of its tokens. */
  id: string;
  email: string | null;
  emailVerified: boolean;
  /** Salted hash; null where it signs in through another provider only. */
  password: string | null;
  /** Subjects at other providers, by provider. */
  identities: Record<string, string[]>;
}

interface Row {
  id: string;
  email: string | null;
  email_verified: boolean;
  password: string | null;
  identities: { provider: string; subject: string }[];
}

function fromRow(row: Row): Account {
  const identities: Record<string, string[]> = {};
  for (const { provider, subject } of row.identities) {
    (identities[provider] ??= []).push(subject);
  }
  return {
    id: row.id,
    email: row.email,
    emailVerified: row.email_verified,
    password: row.password,
    identities,
  };
}

/** The form in which addresses are compared. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

function select(sql: Queryable) {
  return sql`
    select id, email, email_verified, password, coalesce((
      select jsonb_agg(jsonb_build_object('provider', provider, 'subject', subject)
        order by provider, subject)
      from issuer_identities where account_id = issuer_accounts.id), '[]') as identities
    from issuer_accounts`;
}

/** The account with this id, or null. */
export async function findAccount(sql: Queryable, id: string): Promise<Account | null> {
  const [row] = await sql<Row[]>`${select(sql)} where id = ${id}`;
  return row === undefined ? null : fromRow(row);
}

/** The account whose verified address this is, or null. */
export async function findByEmail(sql: Queryable, email: string): Promise<Account | null> {
  const [row] = await sql<Row[]>`${select(sql)} where email_key = ${emailKey(email)}`;
  return row === undefined ? null : fromRow(row);
}

export interface NewAccount {
  id: string;
  email: string | null;
  emailVerified: boolean;
  password: string | null;
  now: Date;
}

/** Makes an account; false when its verified address is another's. */
export async function insertAccount(sql: Queryable, account: NewAccount): Promise<boolean> {
  const key = account.email !== null && account.emailVerified ? emailKey(account.email) : null;
  const inserted = await sql`
    insert into issuer_accounts (id, email, email_key, email_verified, password, created_at)
    values (${account.id}, ${account.email}, ${key}, ${account.emailVerified},
      ${account.password}, ${account.now})
    on conflict do nothing returning 1`;
  return inserted.length === 1;
}
