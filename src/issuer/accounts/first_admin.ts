/**
 * The first administrator: on an installation that has none, whoever reads the operator's terminal
 * can make the first account one.
 *
 * @module
 */
import { recordChange, SYSTEM_ACTOR } from "../../audit/audit.ts";
import { userOf } from "../../names/users.ts";
import type { IssuerDeps } from "../deps.ts";
import type { IssuerRequest } from "../request.ts";
import { findAccount } from "./accounts.ts";
import { createLink, dropLinks, findLink, useLink } from "./links.ts";

// Accounts made at the same time on several nodes are offered one link; any number will do.
const LOCK_KEY = 7_261_005;

/**
 * Prints a link that makes the first account an administrator, in place of an earlier one. Does
 * nothing once there is an administrator, or where configuration names them.
 *
 * @param created The account that was just made: without effect unless it is the first.
 */
export async function offerAdministration(deps: IssuerDeps, created?: string): Promise<void> {
  if (deps.adminsConfigured) return;
  const offer = await deps.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK_KEY})`;
    // Whoever has the offer keeps it: clocks differ and step back, so that times alone do not tell.
    const [first] = await tx<{ id: string; email: string | null }[]>`
      select id, email from issuer_accounts
      where not exists (select from users where is_admin)
      order by exists (
        select from issuer_links where purpose = 'admin' and account_id = issuer_accounts.id
      ) desc, created_at, id limit 1`;
    if (first === undefined || (created ?? first.id) !== first.id) return null;
    await dropLinks(tx, "admin", { accountId: first.id });
    const link = { email: first.email, accountId: first.id, interaction: null, now: deps.now() };
    return { ...first, secret: await createLink(tx, { ...link, purpose: "admin" }) };
  });
  if (offer === null) return;
  // Addresses from other providers may hold anything, and terminals obey some of it.
  const who = (offer.email ?? offer.id).replace(/[^\x20-\x7e]/g, "?");
  deps.announce(
    `This installation has no administrator. To make ${who} one, open:\n` +
      `  ${deps.address.issuer}/admin?token=${offer.secret}`,
  );
}

/** The address of the account that an administrator link is for; null when it does not work. */
export async function findAdminOffer(
  deps: IssuerDeps,
  secret: string,
): Promise<{ email: string | null } | null> {
  const link = await findLink(deps.sql, { purpose: "admin", secret, now: deps.now() });
  return link === null ? null : { email: link.email };
}

/** Makes the account of the link an administrator; false when the link does not work. */
export async function acceptAdminOffer(
  deps: IssuerDeps,
  request: IssuerRequest,
  secret: string,
): Promise<boolean> {
  const key = { purpose: "admin", secret, now: deps.now() } as const;
  const found = await findLink(deps.sql, key);
  const account = found?.accountId ? await findAccount(deps.sql, found.accountId) : null;
  if (account === null) return false;
  // Fixes the username, as the first request with a token would.
  await userOf(deps, account.id, account.email);
  return await deps.sql.begin(async (tx) => {
    if (await useLink(tx, key) === null) return false;
    await tx`update users set is_admin = true where subject = ${account.id}`;
    await recordChange(tx, {
      actor: SYSTEM_ACTOR,
      action: "account.grant_administration",
      subject: account.id,
      requestId: request.requestId,
      at: deps.now(),
    });
    return true;
  });
}
