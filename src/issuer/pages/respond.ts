/**
 * The frame of every page, and its headers.
 *
 * @module
 */
import { ISSUER_PATH, type IssuerAddress } from "../address.ts";
import { type Fragment, html } from "./html.ts";

const BASE_CSP = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; " +
  "frame-ancestors 'none'";

/**
 * Policy of what the OpenID provider answers by itself. It has a directive for scripts that allows
 * none, to which the provider adds the digest of its own where a response has to post itself.
 */
export const PROVIDER_CSP = `${BASE_CSP}; script-src 'report-sample'`;

/** An HTML response of the issuer. */
export interface Page {
  /** The only heading of its level; also the title. */
  title: string;
  body: Fragment;
  status?: number;
  /** `Set-Cookie` values. */
  cookies?: readonly string[];
  /** Where forms of this page may end up besides here, as sources of a policy. */
  formTargets?: readonly string[];
  headers?: Readonly<Record<string, string>>;
}

/** `page` as a whole document. */
export function documentOf(address: IssuerAddress, page: Page): string {
  const failed = (page.status ?? 200) >= 400;
  const site = address.path.slice(0, -ISSUER_PATH.length);
  return html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <title>${failed ? "Error: " : ""}${page.title} · Berth</title>
        <link rel="icon" type="image/svg+xml" href="${site}/favicon.ico">
        <link rel="stylesheet" href="${address.path}/style.css">
      </head>
      <body>
        <header>
          <a
            href="${site}/"><img src="${site}/favicon.ico" alt="" width="26" height="26"> Berth</a>
        </header>
        <main>
    <h1>${page.title}</h1>
    ${page.body}
        </main>
        <footer>
          <p>${address.host}</p>
        </footer>
      </body>
    </html>
  `.text;
}

/** The policy of a page whose forms may lead to `formTargets`. */
export function pagePolicy(formTargets: readonly string[] = []): string {
  return `${BASE_CSP}; form-action ${["'self'", ...formTargets].join(" ")}`;
}

/** `page` as a response. */
export function respond(address: IssuerAddress, page: Page): Response {
  const headers = new Headers({
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": pagePolicy(page.formTargets),
    "Cache-Control": "no-store",
    ...page.headers,
  });
  for (const cookie of page.cookies ?? []) headers.append("Set-Cookie", cookie);
  return new Response(documentOf(address, page), { status: page.status ?? 200, headers });
}

/** Leads to another address with a GET. */
export function seeOther(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ Location: location });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}
