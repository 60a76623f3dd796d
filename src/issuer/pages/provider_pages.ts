/**
 * Pages that the OpenID provider shows by itself: the device's code, signing out, failures.
 *
 * @module
 */
import type { Configuration, KoaContextWithOIDC } from "oidc-provider";
import type { IssuerDeps } from "../deps.ts";
import { alert, field } from "./fields.ts";
import { html } from "./html.ts";
import { documentOf, type Page, pagePolicy } from "./respond.ts";

type Features = NonNullable<Configuration["features"]>;
type Sources<Feature extends keyof Features, Name extends keyof NonNullable<Features[Feature]>> =
  Pick<NonNullable<Features[Feature]>, Name>;

function show(
  { address }: IssuerDeps,
  ctx: KoaContextWithOIDC,
  page: Page,
  formTargets?: readonly string[],
): void {
  ctx.type = "html";
  if (page.status !== undefined) ctx.status = page.status;
  ctx.set("Content-Security-Policy", pagePolicy(formTargets));
  ctx.body = documentOf(address, page);
}

/** The value of the token against forged requests that the provider put into its own form. */
function xsrfOf(ctx: KoaContextWithOIDC): string {
  const state = ctx.oidc.session?.["state"] as { secret?: unknown } | undefined;
  return typeof state?.secret === "string" ? state.secret : "";
}

/** What went wrong with a device's code, for people. */
function codeFault(error: Error | undefined): string | null {
  switch (error?.name) {
    case undefined:
      return null;
    case "NoCodeError":
      return "Enter the code shown on your device";
    case "NotFoundError":
    case "ExpiredError":
    case "AlreadyUsedError":
      return "This code is unknown, already used or expired. Check it or start again on your device";
    default:
      return "The sign-in failed. Start again on your device";
  }
}

/** Pages of the device flow. */
export function deviceSources(
  deps: IssuerDeps,
): Sources<
  "deviceFlow",
  "userCodeInputSource" | "userCodeConfirmSource" | "successSource" | "mask" | "charset"
> {
  const action = `${deps.address.path}/device`;
  return {
    charset: "base-20",
    mask: "****-****",
    userCodeInputSource(ctx, _form, _out, error) {
      if (error?.name === "AbortedError") {
        const body = html`<p>The device was not signed in. You can close this page.</p>`;
        return show(deps, ctx, { title: "Sign-in refused", body });
      }
      const fault = codeFault(error);
      const content = html`<p>Enter the code shown on your device or in your terminal.</p>
<form method="post" action="${action}" novalidate>
<input type="hidden" name="xsrf" value="${xsrfOf(ctx)}">
${
        field({
          name: "user_code",
          label: "Code",
          type: "text",
          autocomplete: "off",
          hint: "Eight letters, such as BCDF-GHJK",
          fault,
        })
      }
<button>Continue</button>
</form>`;
      const failed = fault === null ? {} : { status: 400 };
      show(deps, ctx, { title: "Connect a device", body: content, ...failed });
    },
    userCodeConfirmSource(ctx, _form, client, _device, code) {
      const hidden = html`<input type="hidden" name="xsrf" value="${xsrfOf(ctx)}">
<input type="hidden" name="user_code" value="${code}">`;
      const body = html`<p><strong>${client.clientName ?? client.clientId}</strong> wants to sign in
with this code. Continue only if your own device shows this code right now. Otherwise, whoever sent you here would gain access to your account.</p>
<p class="code">${code}</p>
<form method="post" action="${action}">${hidden}
<input type="hidden" name="confirm" value="yes">
<button>The code matches</button></form>
<form method="post" action="${action}">${hidden}
<input type="hidden" name="abort" value="yes">
<button class="second">Cancel</button></form>`;
      show(deps, ctx, { title: "Connect a device", body });
    },
    successSource(ctx) {
      const client = ctx.oidc.client;
      const body = html`<p><strong>${
        client?.clientName ?? client?.clientId ?? "Your device"
      }</strong>
is signed in. You can close this page and go back to it.</p>`;
      show(deps, ctx, { title: "Device connected", body });
    },
  };
}

/** Pages of signing out. */
export function logoutSources(
  deps: IssuerDeps,
): Sources<"rpInitiatedLogout", "logoutSource" | "postLogoutSuccessSource"> {
  return {
    logoutSource(ctx) {
      const hidden = html`<input type="hidden" name="xsrf" value="${xsrfOf(ctx)}">`;
      const action = `${deps.address.path}/session/end/confirm`;
      const body =
        html`<p>You will be signed out here and on the website. Programs on your devices stay signed in.</p>
<form method="post" action="${action}">${hidden}
<input type="hidden" name="logout" value="yes">
<button>Sign out</button></form>
<form method="post" action="${action}">${hidden}
<button class="second">Stay signed in</button></form>`;
      // The answer leads to where the client wants it, which was checked against its registration.
      const state = ctx.oidc.session?.["state"] as { postLogoutRedirectUri?: string } | undefined;
      const target = state?.postLogoutRedirectUri;
      show(deps, ctx, { title: "Sign out?", body }, target ? [new URL(target).origin] : []);
    },
    postLogoutSuccessSource(ctx) {
      show(deps, ctx, { title: "You are signed out", body: html`<p>You can close this page.</p>` });
    },
  };
}

/** The page of a request that cannot be answered. */
export function renderError(deps: IssuerDeps): NonNullable<Configuration["renderError"]> {
  return (ctx, out) => {
    const body = html`${alert(out.error_description ?? out.error)}
<p>Go back to where you came from and start again. If the problem persists, report this code to the developers of that program: <code>${out.error}</code></p>`;
    show(deps, ctx as KoaContextWithOIDC, {
      title: "Sign-in failed",
      body,
      status: 400,
    });
  };
}
