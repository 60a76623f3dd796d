/**
 * `READ_POLICY=signed-in`: who is not signed in reads nothing here but how to sign in.
 *
 * @module
 */
import type { Context, MiddlewareHandler } from "hono";
import type { HttpEnv } from "../environment.ts";
import { API, WEBHOOK_PATH } from "../links.ts";
import type { IdentityServices, WebApplication } from "../services.ts";

/**
 * What is open: health, sign-in, files of the software itself, and documents by which clients learn how
 * to sign in. The API's description is one of them: it tells of the software, not of what is registered.
 * The payment provider proves itself with its signature.
 */
const OPEN = new Set([
  "/healthz",
  "/readyz",
  "/login",
  "/login/callback",
  "/logout",
  "/deleted",
  "/robots.txt",
  "/favicon.ico",
  `${API}/openapi.json`,
  WEBHOOK_PATH,
]);
const OPEN_BELOW = ["/.well-known/", "/oidc/", "/assets/"];

/** Whether everybody may ask for `path`, whatever the policy. */
export function isOpen(path: string): boolean {
  return OPEN.has(path) || OPEN_BELOW.some((start) => path.startsWith(start));
}

export interface SignedInOnlyDeps {
  identity: Pick<IdentityServices, "authenticate">;
  /** Absent on a registry without pages. */
  web?: Pick<WebApplication, "signInFirst">;
}

/** Nobody else may keep what only the signed-in read. */
function makePrivate(c: Context<HttpEnv>): void {
  const kept = c.res.headers.get("Cache-Control");
  if (kept?.startsWith("public") !== true) return;
  c.res.headers.set("Cache-Control", kept.replace("public", "private"));
}

/** Lets nobody in who is not signed in: programs by their token, browsers by their session. */
export function signedInOnly({ identity, web }: SignedInOnlyDeps): MiddlewareHandler<HttpEnv> {
  return async function signedInOnly(c, next) {
    const { path } = c.req;
    if (isOpen(path)) return await next();
    const isApi = path.startsWith(`${API}/`);
    const first = isApi || web === undefined ? null : await web.signInFirst(c);
    if (first?.kind === "page") return first.response;
    if (first?.kind !== "signed_in" && c.get("caller") === null) {
      throw c.get("tokenFailure") ?? await identity.authenticate(undefined);
    }
    await next();
    makePrivate(c);
  };
}
