/**
 * The issuer's addresses.
 *
 * @module
 */

/** Path of the issuer below the registry's public address. */
export const ISSUER_PATH = "/oidc";

/** Public URLs of the issuer and its parts, whatever address the process listens on. */
export interface IssuerAddress {
  /** As in the tokens' `iss`. */
  issuer: string;
  /** Public address of the registry, without a trailing slash. */
  publicUrl: string;
  /** Scheme, host and port. */
  origin: string;
  /** Host and port. */
  host: string;
  /** Path of `issuer`, without a trailing slash. */
  path: string;
  /** Whether cookies can be kept to encrypted connections. */
  secure: boolean;
}

/** The addresses of the issuer at `publicUrl` (without a trailing slash). */
export function issuerAddress(publicUrl: string): IssuerAddress {
  const issuer = `${publicUrl}${ISSUER_PATH}`;
  const { origin, host, pathname, protocol } = new URL(issuer);
  return { issuer, publicUrl, origin, host, path: pathname, secure: protocol === "https:" };
}

/** Whether `id` has the form of a running sign-in's id: nothing else goes into an address. */
export function isInteractionId(id: string | null | undefined): id is string {
  return typeof id === "string" && /^[\w-]{10,64}$/.test(id);
}
