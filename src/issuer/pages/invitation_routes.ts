/**
 * The pages of invitations, and of the first account.
 *
 * @module
 */
import { readEmail } from "../accounts/email.ts";
import {
  acceptInvitation,
  findInvitation,
  type InvitationPurpose,
} from "../accounts/invitations.ts";
import { PASSWORD_LENGTH } from "../accounts/password.ts";
import { checkedForm, formToken } from "../csrf.ts";
import type { IssuerDeps } from "../deps.ts";
import { networkOf, takeAttempt } from "../guard.ts";
import type { IssuerRequest } from "../request.ts";
import type { IssuerRoute } from "../route.ts";
import { field, form } from "./fields.ts";
import { html } from "./html.ts";
import { staleForm, tooMany, unusableLink } from "./messages.ts";
import { respond } from "./respond.ts";

const TEXTS = {
  first: {
    path: "/first",
    title: "Create the first account",
    intro: "It will administer this registry.",
    next: "As long as there is no account, Berth prints a new link when it starts.",
  },
  invite: {
    path: "/invitation",
    title: "Create your account",
    intro: "An administrator of this registry invited you.",
    next: "Ask an administrator for a new link, or sign in if you have an account.",
  },
} as const;

/** What the form shows again after a fault. */
interface Shown {
  purpose: InvitationPurpose;
  secret: string;
  /** Whom the link is for; null: the form asks. */
  invited: string | null;
  entered?: string;
  fault?: { field: "email" | "password"; fault: string };
}

async function showForm(deps: IssuerDeps, request: IssuerRequest, shown: Shown): Promise<Response> {
  const { purpose, secret, invited, entered, fault } = shown;
  const { path, title, intro } = TEXTS[purpose];
  const { token, cookies } = await formToken(deps, request);
  const faultOf = (name: "email" | "password") => fault?.field === name ? fault.fault : null;
  const address = invited === null
    ? field({
      name: "email",
      label: "E-mail address",
      type: "email",
      autocomplete: "username",
      value: entered ?? "",
      hint: "You sign in with it",
      fault: faultOf("email"),
    })
    : html`<input type="email" name="username" autocomplete="username" value="${invited}" hidden readonly>`;
  const content = html`<input type="hidden" name="token" value="${secret}">
${address}
${
    field({
      name: "password",
      label: "Password",
      type: "password",
      autocomplete: "new-password",
      hint: `At least ${PASSWORD_LENGTH.min} characters. Several words make a good password`,
      fault: faultOf("password"),
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
<button>Create account</button>`;
  return respond(deps.address, {
    title,
    status: fault === undefined ? 200 : 400,
    cookies,
    body: html`<p>${intro}</p>
${invited && html`<p>The account is for <strong>${invited}</strong>.</p>`}
${form(`${deps.address.path}${path}`, token, content)}`,
  });
}

async function open(
  deps: IssuerDeps,
  request: IssuerRequest,
  purpose: InvitationPurpose,
): Promise<Response> {
  const wait = await takeAttempt(deps, [["link", networkOf(request.client)]]);
  if (wait !== null) return tooMany(deps.address, wait);
  const secret = request.query.get("token") ?? "";
  const found = await findInvitation(deps, purpose, secret);
  if (found === null) return unusableLink(deps.address, TEXTS[purpose].next);
  return await showForm(deps, request, { purpose, secret, invited: found.email });
}

function donePage({ address }: IssuerDeps, purpose: InvitationPurpose): Response {
  const what = purpose === "first" ? "The account administers this registry." : "You can sign in.";
  return respond(address, {
    title: "Your account is ready",
    body: html`<p>${what}</p>
<p><a href="${address.publicUrl}/login">Sign in</a></p>`,
  });
}

async function submit(
  deps: IssuerDeps,
  request: IssuerRequest,
  purpose: InvitationPurpose,
): Promise<Response> {
  const fields = await checkedForm(deps, request);
  if (fields === null) return staleForm(deps.address);
  const wait = await takeAttempt(deps, [["link", networkOf(request.client)]]);
  if (wait !== null) return tooMany(deps.address, wait);
  const secret = fields.get("token") ?? "";
  const password = fields.get("password") ?? "";
  const outcome = password === (fields.get("repeated") ?? "")
    ? await acceptInvitation(deps, request, {
      purpose,
      secret,
      email: readEmail(fields.get("email")),
      password,
    })
    : { kind: "fault", field: "password", fault: "The passwords do not match" } as const;
  if (outcome.kind === "done") return donePage(deps, purpose);
  const found = await findInvitation(deps, purpose, secret);
  if (outcome.kind === "unusable" || found === null) {
    return unusableLink(deps.address, TEXTS[purpose].next);
  }
  const entered = (fields.get("email") ?? "").slice(0, 254);
  return await showForm(deps, request, {
    purpose,
    secret,
    invited: found.email,
    entered,
    fault: outcome,
  });
}

/** Pages that make an account from a link. */
export function invitationRoutes(deps: IssuerDeps): IssuerRoute[] {
  return (["first", "invite"] as const).flatMap((purpose): IssuerRoute[] => {
    const { path } = TEXTS[purpose];
    return [
      { method: "GET", path, handle: (request) => open(deps, request, purpose) },
      { method: "POST", path, handle: (request) => submit(deps, request, purpose) },
    ];
  });
}
