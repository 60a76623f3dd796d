/**
 * The page that makes the first account an administrator.
 *
 * @module
 */
import { acceptAdminOffer, findAdminOffer } from "../accounts/first_admin.ts";
import { checkedForm, formToken } from "../csrf.ts";
import type { IssuerDeps } from "../deps.ts";
import { networkOf, takeAttempt } from "../guard.ts";
import type { IssuerRoute } from "../route.ts";
import { form } from "./fields.ts";
import { html } from "./html.ts";
import { staleForm, tooMany, unusableLink } from "./messages.ts";
import { respond } from "./respond.ts";

const NEXT = "As long as there is no administrator, Berth prints a new link when it starts.";

export function adminRoutes(deps: IssuerDeps): IssuerRoute[] {
  const { address } = deps;
  return [
    {
      method: "GET",
      path: "/admin",
      async handle(request) {
        const wait = await takeAttempt(deps, [["link", networkOf(request.client)]]);
        if (wait !== null) return tooMany(address, wait);
        const secret = request.query.get("token") ?? "";
        const offer = await findAdminOffer(deps, secret);
        if (offer === null) return unusableLink(address, NEXT);
        const { token, cookies } = await formToken(deps, request);
        const content = html`<input type="hidden" name="token" value="${secret}">
<button>Make administrator</button>`;
        return respond(address, {
          title: "First administrator",
          cookies,
          body: html`<p>The account <strong>${
            offer.email ?? "without an e-mail address"
          }</strong> will be
able to change and remove every server of this registry.</p>
${form(`${address.path}/admin`, token, content)}`,
        });
      },
    },
    {
      method: "POST",
      path: "/admin",
      async handle(request) {
        const fields = await checkedForm(deps, request);
        if (fields === null) return staleForm(address);
        const wait = await takeAttempt(deps, [["link", networkOf(request.client)]]);
        if (wait !== null) return tooMany(address, wait);
        if (!await acceptAdminOffer(deps, request, fields.get("token") ?? "")) {
          return unusableLink(address, NEXT);
        }
        return respond(address, {
          title: "Done",
          body: html`<p>The account is now an administrator.</p>`,
        });
      },
    },
  ];
}
