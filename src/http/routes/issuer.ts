/**
 * The embedded issuer at `/oidc`, and its metadata where RFC 8414 looks for them.
 *
 * @module
 */
import type { Context, Hono } from "hono";
import type { HttpEnv } from "../environment.ts";
import { readBody } from "../plumbing/json_body.ts";
import type { IssuerServices } from "../services.ts";

const PATH = "/oidc";
const METADATA = "/.well-known/openid-configuration";

async function forward(c: Context<HttpEnv>, issuer: IssuerServices, path: string) {
  const { raw } = c.req;
  return await issuer.handle({
    method: raw.method === "HEAD" ? "GET" : raw.method,
    path,
    query: new URL(raw.url).searchParams,
    headers: raw.headers,
    body: await readBody(raw, issuer.maxBodyBytes),
    client: c.get("client"),
    requestId: c.get("requestId"),
    log: c.get("log"),
  });
}

/** Adds the issuer; does nothing where another identity provider is configured. */
export function addIssuer(app: Hono<HttpEnv>, issuer: IssuerServices | null): void {
  if (issuer === null) return;
  app.all(`${PATH}/*`, (c) => forward(c, issuer, c.req.path.slice(PATH.length)));
  // The issuer has a path, so clients put the well-known part before it (RFC 8414, section 3.1).
  for (const name of ["oauth-authorization-server", "openid-configuration"]) {
    app.get(`/.well-known/${name}${PATH}`, (c) => forward(c, issuer, METADATA));
  }
}
