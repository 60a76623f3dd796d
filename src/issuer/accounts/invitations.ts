/**
 * Accounts without mail: the first one, by a link in the operator's terminal or log, and others by
 * links that administrators hand on. Who opens such a link chooses the password; nobody else has it.
 *
 * @module
 */
import { recordChange, SYSTEM_ACTOR } from "../../audit/audit.ts";
import { userOf } from "../../names/users.ts";
import type { IssuerDeps } from "../deps.ts";
import { accountExists } from "../failures.ts";
import type { IssuerRequest } from "../request.ts";
import { findByEmail, insertAccount } from "./accounts.ts";
import type { Invitation } from "./invitation_schema.ts";
import { createLink, dropLinks, findLink, LINK_LIFETIME_MS, useLink } from "./links.ts";
import { hashPassword, passwordFault } from "./password.ts";

// As for the first administrator, another number.
const LOCK_KEY = 7_261_006;

/** What an invitation is for: the first account, which administers, or one that an administrator wants. */
export type InvitationPurpose = "first" | "invite";

/** What came of an invitation and a password. */
export type AcceptedOutcome =
  | { kind: "done" }
  | { kind: "unusable" }
  | { kind: "fault"; field: "email" | "password"; fault: string };

/**
 * Prints a link that makes the first account an administrator, in place of an earlier one: without a
 * mail server nobody could make one. Does nothing once there is an account, or where links can be sent.
 */
export async function offerFirstAccount(deps: IssuerDeps): Promise<void> {
  if (deps.mailer !== null) return;
  const secret = await deps.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK_KEY})`;
    const [row] = await tx<[{ any: boolean }]>`
      select exists (select from issuer_accounts) as any`;
    if (row.any) return null;
    await tx`delete from issuer_links where purpose = 'first'`;
    const link = { email: null, accountId: null, interaction: null, now: deps.now() };
    return await createLink(tx, { ...link, purpose: "first" });
  });
  if (secret === null) return;
  deps.announce(
    "This installation has no account and no mail server. To make the first account, which " +
      `administers, open:\n  ${deps.address.issuer}/first?token=${secret}`,
  );
}

/**
 * Makes a link that makes an account for `email`, in place of earlier ones for it.
 *
 * @throws {AppError} `conflict` where the address has an account.
 */
export async function createInvitation(
  deps: IssuerDeps,
  actor: string,
  email: string,
  { requestId }: { requestId: string },
): Promise<Invitation> {
  if (await findByEmail(deps.sql, email) !== null) throw accountExists(email);
  const now = deps.now();
  const secret = await deps.sql.begin(async (tx) => {
    await dropLinks(tx, "invite", { email });
    const made = await createLink(tx, {
      purpose: "invite",
      email,
      accountId: null,
      interaction: null,
      now,
    });
    await recordChange(tx, {
      actor,
      action: "account.invite",
      subject: email,
      requestId,
      at: now,
    });
    return made;
  });
  return {
    email,
    url: `${deps.address.issuer}/invitation?token=${secret}`,
    expires_at: new Date(now.getTime() + LINK_LIFETIME_MS.invite).toISOString(),
  };
}

/** Whom an invitation is for; null when it does not work. For the first account, the page asks. */
export async function findInvitation(
  deps: IssuerDeps,
  purpose: InvitationPurpose,
  secret: string,
): Promise<{ email: string | null } | null> {
  const link = await findLink(deps.sql, { purpose, secret, now: deps.now() });
  return link && { email: link.email };
}

/** Makes the account of an invitation; null when the link, or the address, is not free any more. */
async function makeAccount(
  deps: IssuerDeps,
  request: IssuerRequest,
  { purpose, secret, email, hash }: {
    purpose: InvitationPurpose;
    secret: string;
    email: string;
    hash: string;
  },
): Promise<string | null> {
  const now = deps.now();
  return await deps.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK_KEY})`;
    if (await useLink(tx, { purpose, secret, now }) === null) return null;
    const id = deps.newId();
    const isNew = await insertAccount(tx, { id, email, emailVerified: true, password: hash, now });
    if (!isNew) return null;
    const { requestId } = request;
    await recordChange(tx, {
      actor: id,
      action: "account.create",
      subject: id,
      requestId,
      at: now,
    });
    return id;
  });
}

/** Uses an invitation up: makes its account with this password; the first one administers. */
export async function acceptInvitation(
  deps: IssuerDeps,
  request: IssuerRequest,
  { purpose, secret, email, password }: {
    purpose: InvitationPurpose;
    secret: string;
    /** Of the first account; that of another is in its link. */
    email: string | null;
    password: string;
  },
): Promise<AcceptedOutcome> {
  const found = await findInvitation(deps, purpose, secret);
  if (found === null) return { kind: "unusable" };
  const address = found.email ?? email;
  if (address === null) {
    const fault = "Enter an e-mail address such as ada@example.com";
    return { kind: "fault", field: "email", fault };
  }
  const fault = passwordFault(password, address);
  if (fault !== null) return { kind: "fault", field: "password", fault };
  const hash = await hashPassword(password);
  const id = await makeAccount(deps, request, { purpose, secret, email: address, hash });
  if (id === null) return { kind: "unusable" };
  if (purpose === "first") await makeAdministrator(deps, request, { id, email: address });
  return { kind: "done" };
}

/** Should the process end before this has, the next start offers it by a link. */
async function makeAdministrator(
  deps: IssuerDeps,
  request: IssuerRequest,
  { id, email }: { id: string; email: string },
): Promise<void> {
  // Fixes the username, as the first request with a token would.
  await userOf(deps, id, email);
  await deps.sql.begin(async (tx) => {
    await tx`update users set is_admin = true where subject = ${id}`;
    await recordChange(tx, {
      actor: SYSTEM_ACTOR,
      action: "account.grant_administration",
      subject: id,
      requestId: request.requestId,
      at: deps.now(),
    });
  });
}
