/**
 * What Berth says of itself to services whose clients are documents
 * (draft-ietf-oauth-client-id-metadata-document).
 *
 * @module
 */
import { clientName, documentAddress, returnAddress } from "./addresses.ts";
import type { ConnectionsDeps } from "./deps.ts";
import { findConnectable } from "./terms.ts";

/** What a service reads. */
export interface ClientDocument {
  client_id: string;
  client_name: string;
  client_uri: string;
  redirect_uris: string[];
  grant_types: string[];
  response_types: string[];
  token_endpoint_auth_method: "none";
  scope?: string;
}

/** The document of Berth as the client for a variable of a server. @throws {AppError} `not_found`. */
export async function clientDocument(
  { sql, publicUrl }: Pick<ConnectionsDeps, "sql" | "publicUrl">,
  server: string,
  name: string,
): Promise<ClientDocument> {
  const { service } = await findConnectable(sql, null, server, name);
  return {
    client_id: documentAddress(publicUrl, server, name),
    client_name: clientName(publicUrl, server),
    client_uri: `${publicUrl}/servers/${server}`,
    redirect_uris: [returnAddress(publicUrl, service)],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    ...(service.scopes.length === 0 ? {} : { scope: service.scopes.join(" ") }),
  };
}
