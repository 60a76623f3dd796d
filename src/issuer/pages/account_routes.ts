/**
 * Pages for making an account and for choosing another password.
 *
 * @module
 */
import { choosePassword } from "../accounts/create.ts";
import { readEmail } from "../accounts/email.ts";
import { requestLink } from "../accounts/invite.ts";
import { findLink } from "../accounts/links.ts";
import { PASSWORD_LENGTH } from "../accounts/password.ts";
import { isInteractionId } from "../address.ts";
import { checkedForm, formToken } from "../csrf.ts";
import type { IssuerDeps } from "../deps.ts";
import { networkOf, takeAttempt } from "../guard.ts";
import type { IssuerRequest } from "../request.ts";
import type { IssuerRoute } from "../route.ts";
import { field, form } from "./fields.ts";
import { html } from "./html.ts";
import { noMail, staleForm, tooMany, unusableLink } from "./messages.ts";
import { respond, seeOther } from "./respond.ts";

type Purpose = "sign_up" | "reset";

/** What differs between the two ways. */
const TEXTS = {
  sign_up: {
    ask: "/sign-up",
    choose: "/verify",
    title: "Create an account",
    hint: "We will send you a link to confirm it and choose a password",
    chooseTitle: "Choose a password",
    again: "Request a new link",
  },
  reset: {
    ask: "/forgot",
    choose: "/reset",
    title: "Forgot your password?",
    hint: "We will send you a link to choose a new password",
    chooseTitle: "Choose a new password",
    again: "Request a new link",
  },
} as const;

async function askPage(
  deps: IssuerDeps,
  request: IssuerRequest,
  { purpose, interaction, email, fault }: {
    purpose: Purpose;
    interaction: string | null;
    email?: string;
    fault?: string;
  },
): Promise<Response> {
  const text = TEXTS[purpose];
  const { token, cookies } = await formToken(deps, request);
  const content = html`${
    interaction && html`<input type="hidden" name="interaction" value="${interaction}">`
  }
${
    field({
      name: "email",
      label: "E-mail address",
      type: "email",
      autocomplete: "email",
      value: email ?? "",
      hint: text.hint,
      fault: fault ?? null,
    })
  }
<button>Send link</button>`;
  return respond(deps.address, {
    title: text.title,
    status: fault === undefined ? 200 : 400,
    cookies,
    body: html`${form(`${deps.address.path}${text.ask}`, token, content)}
${
      interaction &&
      html`<p><a href="${deps.address.path}/interaction/${interaction}">Back to sign-in</a></p>`
    }`,
  });
}

function sentPage(deps: IssuerDeps, email: string): Response {
  const where = deps.mailer?.toTerminal
    ? html`<p>This installation has no mail server. The link was printed in the terminal where Berth runs.</p>`
    : html`<p>We have sent a message to <strong>${email}</strong>. It can take a few minutes. Check your spam folder too.</p>`;
  return respond(deps.address, {
    title: "Open the link to continue",
    body: html`${where}
<p>You can close this page.</p>`,
  });
}

async function submitAsk(
  deps: IssuerDeps,
  request: IssuerRequest,
  purpose: Purpose,
): Promise<Response> {
  const fields = await checkedForm(deps, request);
  if (fields === null) return staleForm(deps.address);
  const { mailer } = deps;
  if (mailer === null) return noMail(deps.address);
  const given = fields.get("interaction");
  const interaction = isInteractionId(given) ? given : null;
  const email = readEmail(fields.get("email"));
  if (email === null) {
    return await askPage(deps, request, {
      purpose,
      interaction,
      email: (fields.get("email") ?? "").slice(0, 254),
      fault: "Enter an e-mail address such as ada@example.com",
    });
  }
  const wait = await requestLink({ ...deps, mailer }, request, { purpose, email, interaction });
  return wait === null ? sentPage(deps, email) : tooMany(deps.address, wait);
}

async function choosePage(
  deps: IssuerDeps,
  request: IssuerRequest,
  { purpose, secret, email, fault }: {
    purpose: Purpose;
    secret: string;
    email: string | null;
    fault?: string;
  },
): Promise<Response> {
  const text = TEXTS[purpose];
  const { token, cookies } = await formToken(deps, request);
  const content = html`<input type="hidden" name="token" value="${secret}">
<input type="email" name="username" autocomplete="username" value="${email ?? ""}" hidden readonly>
${
    field({
      name: "password",
      label: "Password",
      type: "password",
      autocomplete: "new-password",
      hint: `At least ${PASSWORD_LENGTH.min} characters. Several words make a good password`,
      fault: fault ?? null,
    })
  }
${
    field({
      name: "repeated",
      label: "Repeat password",
      type: "password",
      autocomplete: "new-password",
    })
  }
<button>Save</button>`;
  return respond(deps.address, {
    title: text.chooseTitle,
    status: fault === undefined ? 200 : 400,
    cookies,
    body: html`<p>for <strong>${email ?? ""}</strong></p>
${form(`${deps.address.path}${text.choose}`, token, content)}`,
  });
}

function unusable(deps: IssuerDeps, purpose: Purpose): Response {
  const { ask, again } = TEXTS[purpose];
  return unusableLink(deps.address, html`<a href="${deps.address.path}${ask}">${again}</a>`);
}

async function openLink(
  deps: IssuerDeps,
  request: IssuerRequest,
  purpose: Purpose,
): Promise<Response> {
  const wait = await takeAttempt(deps, [["link", networkOf(request.client)]]);
  if (wait !== null) return tooMany(deps.address, wait);
  const secret = request.query.get("token") ?? "";
  const link = await findLink(deps.sql, { purpose, secret, now: deps.now() });
  if (link === null) return unusable(deps, purpose);
  return await choosePage(deps, request, { purpose, secret, email: link.email });
}

function donePage(deps: IssuerDeps): Response {
  return respond(deps.address, {
    title: "Your password is set",
    body: html`<p>Go back to where you wanted to sign in and use it there.</p>
<p><a href="${deps.address.publicUrl}/">Go to the registry</a></p>`,
  });
}

async function submitPassword(
  deps: IssuerDeps,
  request: IssuerRequest,
  purpose: Purpose,
): Promise<Response> {
  const fields = await checkedForm(deps, request);
  if (fields === null) return staleForm(deps.address);
  const wait = await takeAttempt(deps, [["link", networkOf(request.client)]]);
  if (wait !== null) return tooMany(deps.address, wait);
  const secret = fields.get("token") ?? "";
  const password = fields.get("password") ?? "";
  if (password !== (fields.get("repeated") ?? "")) {
    const link = await findLink(deps.sql, { purpose, secret, now: deps.now() });
    if (link === null) return unusable(deps, purpose);
    const fault = "The passwords do not match";
    return await choosePage(deps, request, { purpose, secret, email: link.email, fault });
  }
  const outcome = await choosePassword(deps, request, purpose, { secret, password });
  switch (outcome.kind) {
    case "unusable":
      return unusable(deps, purpose);
    case "fault":
      return await choosePage(deps, request, { purpose, secret, ...outcome });
    case "done":
      return isInteractionId(outcome.interaction)
        ? seeOther(`${deps.address.path}/interaction/${outcome.interaction}?notice=ready`)
        : donePage(deps);
  }
}

/** Pages of sign-up, verification, and forgotten passwords. */
export function accountRoutes(deps: IssuerDeps): IssuerRoute[] {
  return (["sign_up", "reset"] as const).flatMap((purpose): IssuerRoute[] => {
    const { ask, choose } = TEXTS[purpose];
    return [
      {
        method: "GET",
        path: ask,
        async handle(request) {
          if (deps.mailer === null) return noMail(deps.address);
          const given = request.query.get("interaction");
          const interaction = isInteractionId(given) ? given : null;
          return await askPage(deps, request, { purpose, interaction });
        },
      },
      { method: "POST", path: ask, handle: (request) => submitAsk(deps, request, purpose) },
      { method: "GET", path: choose, handle: (request) => openLink(deps, request, purpose) },
      { method: "POST", path: choose, handle: (request) => submitPassword(deps, request, purpose) },
    ];
  });
}
