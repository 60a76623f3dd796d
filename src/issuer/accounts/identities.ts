/**
 * Accounts that sign in through another provider.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import type { IssuerDeps } from "../deps.ts";
import type { IssuerRequest } from "../request.ts";
import { findByEmail, insertAccount } from "./accounts.ts";
import { offerAdministration } from "./first_admin.ts";

/** What another provider vouches for. */
export interface ExternalIdentity {
  /** As in `sign_in_provider`: `github.com`. */
  provider: string;
  /** The user's unchanging id there. */
  subject: string;
  email: string | null;
  /** Whether that provider has checked that the address is the user's. */
  emailVerified: boolean;
}

/**
 * The account that `identity` signs in to: the one that it is linked to, else the one with the same
 * address, where both this issuer and the provider have verified it, else a new one.
 */
export async function accountOfIdentity(
  deps: IssuerDeps,
  request: IssuerRequest,
  identity: ExternalIdentity,
): Promise<string> {
  const now = deps.now();
  const outcome = await deps.sql.begin(async (tx) => {
    // Two first sign-ins at once make one account.
    await tx`select pg_advisory_xact_lock(hashtextextended(${
      JSON.stringify([identity.provider, identity.subject])
    }, 0))`;
    const [linked] = await tx<{ account_id: string }[]>`
      select account_id from issuer_identities
      where provider = ${identity.provider} and subject = ${identity.subject}`;
    if (linked !== undefined) return { accountId: linked.account_id, created: false };
    const id = deps.newId();
    const { email, emailVerified } = identity;
    const created = await insertAccount(tx, { id, email, emailVerified, password: null, now });
    // Not inserted: the verified address is an account's.
    const accountId = created ? id : (await findByEmail(tx, email!))!.id;
    await tx`
      insert into issuer_identities (provider, subject, account_id, created_at)
      values (${identity.provider}, ${identity.subject}, ${accountId}, ${now})`;
    await recordChange(tx, {
      actor: accountId,
      action: created ? "account.create" : "account.link",
      subject: accountId,
      requestId: request.requestId,
      at: now,
      details: { provider: identity.provider },
    });
    return { accountId, created };
  });
  if (outcome.created) await offerAdministration(deps, outcome.accountId);
  return outcome.accountId;
}
