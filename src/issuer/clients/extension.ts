/**
 * Clients beyond Berth's own, as an addition to the issuer: those that register themselves and
 * those whose id is the address of a document (MCP, "Authorization", client registration).
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import type { Attempts } from "../../limits/attempts.ts";
import type { IssuerExtensions } from "../deps.ts";
import { networkOf } from "../guard.ts";
import { openIdErrors, OpenIdProvider } from "../library.ts";
import { createDocumentClients, isDocumentId } from "./documents.ts";
import type { FetchClientDocument } from "./fetch_document.ts";
import { REGISTRATION_PATH, registrationRoute } from "./registration.ts";
import { findClient, sweepClients } from "./store.ts";

export interface ClientOptions {
  sql: Sql;
  now: () => Date;
  attempts: Attempts;
  fetchDocument: FetchClientDocument;
  /** The issuer's own address, without a trailing slash. */
  issuer: string;
}

/** Documents fetched for one network. */
const FETCH_RULE = { max: 30, windowSeconds: 600 };
const REGISTERED_ID = /^[0-9a-f-]{36}$/;

/** Lets clients register, and finds those that did. */
export function clientExtension(
  options: ClientOptions,
): Required<Pick<IssuerExtensions, "clients" | "configure" | "routes" | "sweep">> {
  const { sql, now, attempts } = options;
  const documentClient = createDocumentClients({
    fetch: options.fetchDocument,
    async allowFetch() {
      const network = networkOf(OpenIdProvider.ctx?.ip ?? null);
      return (await attempts.take(`client document for ${network}`, FETCH_RULE)).allowed;
    },
  });
  return {
    clients: {
      async find(id) {
        if (REGISTERED_ID.test(id)) return await findClient(sql, id, now()) ?? undefined;
        if (!isDocumentId(id)) return undefined;
        const found = await documentClient(id);
        if (found.kind === "found") return found.client;
        throw new openIdErrors.InvalidClientMetadata(found.fault);
      },
    },
    configure: (configuration) => ({
      ...configuration,
      discovery: {
        ...configuration.discovery,
        registration_endpoint: `${options.issuer}${REGISTRATION_PATH}`,
        client_id_metadata_document_supported: true,
      },
    }),
    routes: (deps) => [registrationRoute(deps)],
    sweep: (time) => sweepClients(sql, time),
  };
}
