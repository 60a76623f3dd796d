/**
 * Requests about clients at other services whose status the API description documents.
 *
 * @module
 */
import { noClientStored, notConnectable, notYourClient } from "../../src/connections/failures.ts";
import { CLIENT_DOCUMENT_EXAMPLE, CLIENT_EXAMPLE } from "../../src/http/openapi/examples_keys.ts";
import type { ConnectionsServices } from "../../src/http/services.ts";
import type { Caller } from "../../src/identity/caller.ts";
import { noSuchServer, nothingKept } from "../../src/keys/failures.ts";
import { bodyCases, BROKEN, type Case, DOWN, fail, tokenCases } from "./status_cases.ts";
import { OWNER, type Stub } from "./stub_services.ts";

const SERVERS = "/api/v1/servers";
const CLIENT = "/keys/NOTES_TOKEN/client";
const PATH = `${SERVERS}/weather${CLIENT}`;
const DOCUMENT = "/connections/clients";
const PUBLIC = `${DOCUMENT}/weather/NOTES_TOKEN`;

/** Answers for the variable `NOTES_TOKEN` of the server `weather`, which belongs to `owner`. */
export function stubConnections(owner: string, admin: string): ConnectionsServices {
  function found<T>(server: string, variable: string, result: T): T {
    if (server !== "weather") throw noSuchServer(server);
    if (variable !== "NOTES_TOKEN") throw notConnectable(server, variable);
    return result;
  }
  function owned<T>(
    { userId }: Caller,
    { server, variable }: { server: string; variable: string },
    result: T,
  ): Promise<T> {
    return Promise.try(() => {
      found(server, variable, null);
      if (![owner, admin].includes(userId)) throw notYourClient(server);
      return result;
    });
  }
  const shown = { label: "Notes", host: "notes.example", scopes: [], hosts: [] };
  return {
    show: (_viewer, server, variable) => Promise.try(() => found(server, variable, shown)),
    begin: () => Promise.resolve("https://notes.example/authorize"),
    finish: () => Promise.resolve({ server: "weather", variable: "NOTES_TOKEN" }),
    client: (caller, place) => owned(caller, place, CLIENT_EXAMPLE),
    storeClient: (caller, place) => owned(caller, place, undefined),
    removeClient: (caller, place) => owned(caller, place, undefined),
    document: (server, variable) =>
      Promise.try(() => found(server, variable, CLIENT_DOCUMENT_EXAMPLE)),
  };
}

function failing(use: "storeClient" | "removeClient" | "document", error: Error) {
  return (stub: Stub) => {
    stub.services.connections = { ...stub.services.connections, [use]: fail(error) };
  };
}

function clientCases(operation: string, method: string, body?: unknown): Case[] {
  const base = { operation, method, as: OWNER, body };
  return [
    { ...base, status: 200, path: PATH },
    { ...base, status: 400, name: "no variable", path: `${SERVERS}/weather/keys/1-A/client` },
    { ...base, status: 403, path: PATH, as: "somebody-else" },
    { ...base, status: 404, path: `${SERVERS}/nothing${CLIENT}` },
    {
      ...base,
      status: 404,
      name: "a variable that is entered",
      path: `${SERVERS}/weather/keys/API_KEY/client`,
    },
    ...tokenCases(operation, method, PATH, body),
  ];
}

/** Clients of owners, and the document about Berth. */
export function connectionCases(): Case[] {
  const body = { client_id: "berth-client", client_secret: "s3cr3t" };
  const document = { operation: "getServiceClientDocument" };
  return [
    ...clientCases("getServiceClient", "GET"),
    ...clientCases("storeServiceClient", "PUT", body),
    ...bodyCases("storeServiceClient", "PUT", PATH),
    {
      operation: "storeServiceClient",
      method: "PUT",
      path: PATH,
      as: OWNER,
      body,
      status: 409,
      arrange: failing("storeClient", nothingKept()),
    },
    ...clientCases("removeServiceClient", "DELETE"),
    {
      operation: "removeServiceClient",
      method: "DELETE",
      path: PATH,
      as: OWNER,
      status: 404,
      name: "none stored",
      arrange: failing("removeClient", noClientStored("weather", "NOTES_TOKEN")),
    },
    { ...document, status: 200, path: PUBLIC },
    { ...document, status: 400, path: `${DOCUMENT}/weather/1-A` },
    { ...document, status: 404, path: `${DOCUMENT}/weather/API_KEY` },
    { ...document, status: 500, path: PUBLIC, arrange: failing("document", BROKEN) },
    { ...document, status: 503, path: PUBLIC, arrange: failing("document", DOWN) },
  ];
}
