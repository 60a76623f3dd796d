/**
 * Which account an identity at another provider belongs to.
 *
 * An identity that was seen before has its account, whatever its address is by now. A new one joins
 * the account with its e-mail address only where both sides have proof of the address: the provider
 * says that it verified it, and the account here was verified by a link sent there. An account whose
 * address was never verified may be anybody's who typed that address, waiting for its owner to join
 * (account pre-hijacking); so such a one is left alone, and the identity gets an account of its own.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import type { Sql } from "../../database/client.ts";
import { findAccount, findByEmail, insertAccount } from "../accounts/accounts.ts";
import type { UpstreamIdentity, UpstreamProvider } from "./provider.ts";

export interface LinkDeps {
  sql: Sql;
  now: () => Date;
  newId: () => string;
  /** Of the request, for the audit log. */
  requestId: string;
}

/** What came of an identity. */
export interface LinkedAccount {
  accountId: string;
  /** How it came to the account. */
  how: "known" | "linked" | "created";
}

const ATTEMPTS = 5;

async function knownAccount(sql: Sql, provider: string, subject: string): Promise<string | null> {
  const [row] = await sql<{ account_id: string }[]>`
    select account_id from issuer_identities
    where provider = ${provider} and subject = ${subject}`;
  return row?.account_id ?? null;
}

/** Links, or makes an account and links; null when another request was faster. */
async function attach(
  { sql, now, newId, requestId }: LinkDeps,
  provider: Pick<UpstreamProvider, "name" | "linkByEmail">,
  { subject, email, emailVerified }: UpstreamIdentity,
): Promise<LinkedAccount | null> {
  const verified = emailVerified ? email : null;
  const lost = Symbol();
  try {
    return await sql.begin(async (tx) => {
      const existing = verified === null ? null : await findByEmail(tx, verified);
      const joins = existing !== null && existing.emailVerified && provider.linkByEmail;
      const accountId = joins ? existing.id : newId();
      if (!joins) {
        // Where the address is another account's, this one does without.
        const isFree = existing === null;
        const made = await insertAccount(tx, {
          id: accountId,
          email: isFree ? email : null,
          emailVerified: isFree && verified !== null,
          password: null,
          now: now(),
        });
        if (!made) throw lost;
      }
      const linked = await tx`
        insert into issuer_identities (provider, subject, account_id, created_at)
        values (${provider.name}, ${subject}, ${accountId}, ${now()})
        on conflict do nothing returning 1`;
      if (linked.length === 0) throw lost;
      await recordChange(tx, {
        actor: accountId,
        action: joins ? "account.link" : "account.create",
        subject: accountId,
        requestId,
        at: now(),
        details: { provider: provider.name },
      });
      return { accountId, how: joins ? "linked" : "created" } as const;
    });
  } catch (error) {
    if (error === lost) return null;
    throw error;
  }
}

/** The account of an identity; made or linked at its first sign-in. */
export async function accountOf(
  deps: LinkDeps,
  provider: Pick<UpstreamProvider, "name" | "linkByEmail">,
  identity: UpstreamIdentity,
): Promise<LinkedAccount> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const known = await knownAccount(deps.sql, provider.name, identity.subject);
    if (known !== null && await findAccount(deps.sql, known) !== null) {
      return { accountId: known, how: "known" };
    }
    const attached = await attach(deps, provider, identity);
    if (attached !== null) return attached;
  }
  throw new Error("Cannot link the identity: other requests keep changing it");
}
