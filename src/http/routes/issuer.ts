/**
 * The embedded issuer at `/oidc`, and its metadata where RFC 8414 looks for them.
 *
 * @module
 */
import type { Context } from "hono";
import type { HttpEnv } from "../environment.ts";
import { type Operation, undescribed } from "../operation.ts";
import { readBody } from "../plumbing/json_body.ts";
import type { IssuerServices } from "../services.ts";

/** Path of the issuer. */
export const ISSUER_PATH = "/oidc";
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

/** The issuer's own addresses, below {@link ISSUER_PATH}. */
export function issuerPages(issuer: IssuerServices): Operation {
  return undescribed((c) => forward(c, issuer, c.req.path.slice(ISSUER_PATH.length)));
}

/** The issuer's metadata, where RFC 8414 looks for them. */
export function issuerMetadata(issuer: IssuerServices): Operation {
  return undescribed((c) => forward(c, issuer, METADATA));
}
