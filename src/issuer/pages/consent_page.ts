/**
 * The page that asks whether a client may act for the user.
 *
 * @module
 */
import type { IssuerAddress } from "../address.ts";
import { form } from "./fields.ts";
import { type Html, html } from "./html.ts";

export interface ConsentView {
  uid: string;
  token: string;
  /** Name that the client gives itself, or its id. */
  client: string;
  clientId: string;
  /** Whether the client is Berth's own. */
  trusted: boolean;
  /** Host that the answer is sent to; null for a device. */
  host: string | null;
  /** Whether it asks for running servers and nothing else. */
  runsOnly: boolean;
  /** Who is signed in. */
  email: string | null;
}

export function consentBody(address: IssuerAddress, view: ConsentView): Html {
  const base = `${address.path}/interaction/${view.uid}`;
  return html`
    <p><strong>${view.client}</strong> wants to act on your behalf at this registry.</p>
    <dl>
    <dt>You are signed in as</dt><dd>${view.email ?? "a user without an e-mail address"}</dd>
    ${view.host === null ? null : html`
      <dt>You will be sent back to</dt>
      <dd>${view.host}</dd>
    `}
    ${view.trusted ? null : html`
      <dt>Client identifier</dt>
      <dd>${view.clientId}</dd>
    `}
    </dl>
    <p>It will be able to</p>
    <ul>
      <li>${view.runsOnly
        ? "see your e-mail address and user id"
        : "see everything that this registry keeps of you, but for values of keys"}</li>
      <li>${view.runsOnly
        ? "run servers as you, but not publish or change them"
        : "publish, change and remove your servers, and run servers, as you"}</li>
      <li>stay signed in until you revoke it</li>
    </ul>
    ${view.trusted ? null : html`
      <p
        class="notice">Anyone can make such a request under any name. Allow it only if you started it yourself.</p>
    `}
    ${form(`${base}/consent`, view.token, html`<button>Allow</button>`)}
    ${form(`${base}/abort`, view.token, html`<button class="second">Deny</button>`)}
  `;
}
