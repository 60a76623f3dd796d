/**
 * The sign-in page.
 *
 * @module
 */
import type { IssuerAddress } from "../address.ts";
import type { UpstreamButton } from "../deps.ts";
import { alert, ALERT_ID, field, form, notice } from "./fields.ts";
import { type Html, html } from "./html.ts";

export interface SignInView {
  /** Id of the running sign-in. */
  uid: string;
  /** What the user signs in to, for people. */
  client: string;
  token: string;
  email?: string;
  /** Why the last attempt failed. */
  failure?: string | null;
  notice?: string | null;
  upstream: readonly UpstreamButton[];
}

export function signInBody(address: IssuerAddress, view: SignInView): Html {
  const base = `${address.path}/interaction/${view.uid}`;
  const failure = view.failure ?? null;
  const faultAt = failure === null ? null : ALERT_ID;
  return html`${alert(failure)}${notice(view.notice ?? null)}
<p>to continue to <strong>${view.client}</strong></p>
${
    form(
      `${base}/sign-in`,
      view.token,
      html`${
        field({
          name: "email",
          label: "E-mail address",
          type: "email",
          autocomplete: "username",
          value: view.email ?? "",
          faultAt,
        })
      }${
        field({
          name: "password",
          label: "Password",
          type: "password",
          autocomplete: "current-password",
          faultAt,
        })
      }
<button>Sign in</button>`,
    )
  }
${
    view.upstream.length === 0 ? null : html`<p class="or">or</p>
${
      view.upstream.map(({ id, label }) =>
        form(
          `${base}/upstream/${id}`,
          view.token,
          html`<button class="second">Continue with ${label}</button>`,
        )
      )
    }`
  }
<p><a href="${address.path}/sign-up?interaction=${view.uid}">Create an account</a> ·
<a href="${address.path}/forgot?interaction=${view.uid}">Forgot your password?</a></p>
${form(`${base}/abort`, view.token, html`<button class="second">Cancel</button>`)}`;
}
