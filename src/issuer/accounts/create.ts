/**
 * Making an account, and choosing a new password for one.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import type { Transaction } from "../../database/client.ts";
import { denyUser } from "../../identity/api_tokens/denied_store.ts";
import { endSignIns } from "../adapter.ts";
import type { IssuerDeps } from "../deps.ts";
import type { IssuerRequest } from "../request.ts";
import { findByEmail, insertAccount } from "./accounts.ts";
import { offerAdministration } from "./first_admin.ts";
import { dropLinks, findLink, type Link, useLink } from "./links.ts";
import { hashPassword, passwordFault } from "./password.ts";

/** What came of a link with a password. */
export type ChosenOutcome =
  | { kind: "done"; accountId: string; interaction: string | null }
  | { kind: "unusable" }
  | { kind: "fault"; fault: string; email: string | null };

interface Chosen {
  secret: string;
  password: string;
}

/** Sets the password of the account of a verified address, which is made where there is none. */
async function applyPassword(
  deps: IssuerDeps,
  tx: Transaction,
  { link, hash, requestId }: { link: Link; hash: string; requestId: string },
): Promise<{ accountId: string; created: boolean }> {
  const now = deps.now();
  const id = deps.newId();
  const email = link.email!;
  const account = { id, email, emailVerified: true, password: hash, now };
  if (link.accountId === null && await insertAccount(tx, account)) {
    await recordChange(tx, {
      actor: id,
      action: "account.create",
      subject: id,
      requestId,
      at: now,
    });
    return { accountId: id, created: true };
  }
  const known = link.accountId ?? (await findByEmail(tx, email))!.id;
  await tx`
    update issuer_accounts set password = ${hash}, password_changed_at = ${now}
    where id = ${known}`;
  // Whoever knew the old password, or stole a session, is out.
  await endSignIns(tx, known);
  await denyUser(tx, known, now);
  await recordChange(tx, {
    actor: known,
    action: "account.change_password",
    subject: known,
    requestId,
    at: now,
  });
  return { accountId: known, created: false };
}

/**
 * Uses a link up to choose a password: for `sign_up` the first one, which also proves that the
 * address is the user's and makes the account; for `reset` a new one, which ends all sign-ins.
 */
export async function choosePassword(
  deps: IssuerDeps,
  request: IssuerRequest,
  purpose: "sign_up" | "reset",
  { secret, password }: Chosen,
): Promise<ChosenOutcome> {
  const key = { purpose, secret, now: deps.now() };
  const found = await findLink(deps.sql, key);
  if (found === null) return { kind: "unusable" };
  const fault = passwordFault(password, found.email);
  if (fault !== null) return { kind: "fault", fault, email: found.email };
  const hash = await hashPassword(password);
  const done = await deps.sql.begin(async (tx) => {
    const link = await useLink(tx, key);
    if (link === null) return null;
    const applied = await applyPassword(deps, tx, { link, hash, requestId: request.requestId });
    if (link.email !== null) await dropLinks(tx, "sign_up", { email: link.email });
    await dropLinks(tx, "reset", { accountId: applied.accountId });
    return { ...applied, email: link.email, interaction: link.interaction };
  });
  if (done === null) return { kind: "unusable" };
  if (done.created) await offerAdministration(deps, done.accountId);
  return { kind: "done", accountId: done.accountId, interaction: done.interaction };
}
