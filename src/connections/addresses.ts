/**
 * Addresses of Berth that services see, and pages that users are sent to.
 *
 * @module
 */
import { serviceId, type SignInService } from "../keys/services.ts";

/** Path below which services send browsers back. */
export const RETURN_PATH = "/connections/return";
/** Path below which documents about Berth as a client are. */
export const DOCUMENT_PATH = "/connections/clients";

/**
 * Where the service sends the browser back to. Each has its own address: a code that comes there is
 * of that service, also of those that do not name themselves in their answers (RFC 9700, 4.4.2.2).
 */
export function returnAddress(publicUrl: string, service: SignInService): string {
  return `${publicUrl}${RETURN_PATH}/${serviceId(service)}`;
}

/** Where a service finds what Berth is for a variable of a server: its client id there. */
export function documentAddress(publicUrl: string, server: string, name: string): string {
  return `${publicUrl}${DOCUMENT_PATH}/${server}/${name}`;
}

/** The page on which a user connects a variable of a server. */
export function connectPath(server: string, name: string): string {
  return `/servers/${server}/keys/${name}/connect`;
}

/** What services call Berth when it asks for a server. */
export function clientName(publicUrl: string, server: string): string {
  return `${server} at ${new URL(publicUrl).host}`;
}
