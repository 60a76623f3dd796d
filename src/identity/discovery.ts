/**
 * Where an issuer keeps its key set (OpenID Connect Discovery 1.0, sections 3 and 4).
 *
 * @module
 */
import { z } from "zod";
import { type Fetch, fetchDocument } from "./fetch_document.ts";

const Discovery = z.object({
  issuer: z.string(),
  jwks_uri: z.url({ protocol: /^https?$/ }).max(2048),
});

/**
 * The address of the key set of `issuer`, from its discovery document.
 *
 * @throws {Error} When the document is unavailable, is of another issuer (section 4.3), or leads
 * from https to http.
 */
export async function discoverKeySet(fetch: Fetch, issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`;
  const document = Discovery.parse(await fetchDocument(fetch, url));
  if (document.issuer !== issuer) {
    throw new Error(
      `Expected issuer "${issuer}" in ${url}, got "${document.issuer.slice(0, 200)}"`,
    );
  }
  if (issuer.startsWith("https:") && !document.jwks_uri.startsWith("https:")) {
    throw new Error(`Expected an https key set URL in ${url}`);
  }
  return document.jwks_uri;
}
