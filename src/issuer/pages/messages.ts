/**
 * Pages that only say something.
 *
 * @module
 */
import type { IssuerAddress } from "../address.ts";
import { alert } from "./fields.ts";
import { type Fragment, html } from "./html.ts";
import { respond } from "./respond.ts";

export function tooMany(address: IssuerAddress, seconds: number): Response {
  const minutes = Math.ceil(seconds / 60);
  return respond(address, {
    title: "Too many attempts",
    status: 429,
    headers: { "Retry-After": String(seconds) },
    body: alert(`Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}`),
  });
}

/** A form that may have been forged, or that was open for too long. */
export function staleForm(address: IssuerAddress): Response {
  return respond(address, {
    title: "This form has expired",
    status: 403,
    body: html`${alert("The form is too old or did not come from this page")}
<p>Go back, reload the page, and allow it to set cookies.</p>`,
  });
}

/** A link that was used, has expired or never was. */
export function unusableLink(address: IssuerAddress, next: Fragment): Response {
  return respond(address, {
    title: "This link is not valid",
    status: 400,
    body: html`${alert("It was already used, has expired, or is incomplete")}
<p>${next}</p>`,
  });
}

/** A sign-in that this browser did not begin, or that was left for too long. */
export function unknownInteraction(address: IssuerAddress): Response {
  return respond(address, {
    title: "This sign-in has ended",
    status: 400,
    body: html`${
      alert("It started more than an hour ago, is already complete, or started in another browser")
    }
<p>Go back to where you wanted to sign in and start again.</p>`,
  });
}

/** No way to send links. */
export function noMail(address: IssuerAddress): Response {
  return respond(address, {
    title: "E-mail cannot be sent",
    status: 503,
    body: html`${alert("This installation has no mail server")}
<p>Until its operator sets SMTP_URL and MAIL_FROM, an account takes an invitation by an administrator (<code>berth admin invite</code>), and passwords cannot be reset.</p>`,
  });
}
