/**
 * The client that a visitor uses: chosen by the address of a page, and remembered in a cookie.
 *
 * @module
 */
import type { PageRequest } from "../../layout/context.ts";
import { cookieScope, readCookie, setCookie } from "../../session/cookies.ts";
import { CLIENT_CHOICES, type ClientId } from "./clients.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;
const FIRST: ClientId = "claude-code";

function known(text: string | undefined): ClientId | null {
  return CLIENT_CHOICES.find(([id]) => id === text)?.[0] ?? null;
}

/** The client of the address (`?client=`), else the one of the visitor's last choice. */
export function chosenClient({ c, services }: PageRequest): ClientId {
  const scope = cookieScope(services.app.publicUrl);
  const remembered = known(readCookie(c, scope, "client"));
  const asked = known(c.req.query("client"));
  if (asked !== null && asked !== remembered) {
    c.header("Set-Cookie", setCookie(scope, "client", asked, YEAR_SECONDS), { append: true });
  }
  return asked ?? remembered ?? FIRST;
}
