/**
 * Links by mail: to choose a first password, or a new one. Asking for one answers the same,
 * after the same time, whether or not there is an account: all work is done afterwards.
 *
 * @module
 */
import type { IssuerDeps } from "../deps.ts";
import { networkOf, takeAttempt } from "../guard.ts";
import type { Mailer } from "../mail.ts";
import type { IssuerRequest } from "../request.ts";
import { emailKey, findByEmail } from "./accounts.ts";
import { createLink } from "./links.ts";

export interface LinkRequest {
  email: string;
  /** Sign-in that goes on afterwards. */
  interaction: string | null;
}

async function sendSignUp(deps: IssuerDeps, mailer: Mailer, asked: LinkRequest): Promise<void> {
  const { issuer } = deps.address;
  const account = await findByEmail(deps.sql, asked.email);
  if (account?.password) {
    return await mailer.send({
      to: account.email!,
      subject: "You already have a Berth account",
      lines: [
        `Someone, probably you, requested an account at ${deps.address.host} with this address.`,
        "You already have one. Sign in with your password, or choose a new password here if you forgot it.",
      ],
      link: `${issuer}/forgot`,
    });
  }
  const secret = await createLink(deps.sql, {
    purpose: "sign_up",
    email: asked.email,
    accountId: null,
    interaction: asked.interaction,
    now: deps.now(),
  });
  await mailer.send({
    to: asked.email,
    subject: "Confirm your e-mail address for Berth",
    lines: [
      `Open this link to confirm your address and choose a password at ${deps.address.host}. ` +
      "The link works once and expires in 24 hours.",
      "If you did not request this, ignore this message. No account will be created.",
    ],
    link: `${issuer}/verify?token=${secret}`,
  });
}

async function sendReset(deps: IssuerDeps, mailer: Mailer, asked: LinkRequest): Promise<void> {
  const account = await findByEmail(deps.sql, asked.email);
  if (account === null) return;
  const secret = await createLink(deps.sql, {
    purpose: "reset",
    email: account.email,
    accountId: account.id,
    interaction: asked.interaction,
    now: deps.now(),
  });
  await mailer.send({
    to: account.email!,
    subject: "Choose a new password for Berth",
    lines: [
      `Open this link to choose a new password at ${deps.address.host}. ` +
      "The link works once and expires in one hour.",
      "If you did not request this, ignore this message. Your password stays unchanged.",
    ],
    link: `${deps.address.issuer}/reset?token=${secret}`,
  });
}

const SENDERS = { sign_up: sendSignUp, reset: sendReset };

/**
 * Sends a link, afterwards.
 *
 * @returns Seconds to wait where too many were asked for, else null.
 */
export async function requestLink(
  deps: IssuerDeps & { mailer: Mailer },
  request: IssuerRequest,
  asked: LinkRequest & { purpose: keyof typeof SENDERS },
): Promise<number | null> {
  const wait = await takeAttempt(deps, [
    ["mailNetwork", networkOf(request.client)],
    ["mailTo", emailKey(asked.email)],
  ]);
  if (wait !== null) return wait;
  deps.background.run("issuer.mail_failed", () => SENDERS[asked.purpose](deps, deps.mailer, asked));
  return null;
}
