/**
 * Examples about kept values.
 *
 * @module
 */
import type { ClientDocument } from "../../connections/document.ts";
import type { StoredClient } from "../../connections/owner_clients.ts";
import type { KeptKey } from "../../keys/schema.ts";
import type { HostToken } from "../../repository/tokens/schema.ts";

/** A kept value, as lists show it. */
export const KEY_EXAMPLE: KeptKey = {
  server: "weather",
  variable: "API_KEY",
  for: "me",
  yours: true,
  state: "ready",
  delivery: "placeholder",
  hosts: ["api.example.com"],
  asked: null,
  connection: null,
  set_at: "2026-05-01T12:00:00.000Z",
  last_used_at: null,
};

/** A token for a code host, as lists show it. */
export const HOST_TOKEN_EXAMPLE: HostToken = {
  host: "gitlab.com",
  path: "acme/weather",
  state: "ready",
  set_at: "2026-05-01T12:00:00.000Z",
  last_used_at: null,
};

/** A client at another service, as its owner sees it. */
export const CLIENT_EXAMPLE: StoredClient = {
  service: "GitHub",
  redirect_uri: "https://berth.example/connections/return/5c0f2f0d1a2b3c4d5e6f",
  stored: true,
  set_at: "2026-05-01T12:00:00.000Z",
};

/** What Berth says of itself to a service. */
export const CLIENT_DOCUMENT_EXAMPLE: ClientDocument = {
  client_id: "https://berth.example/connections/clients/notes/NOTES_TOKEN",
  client_name: "notes at berth.example",
  client_uri: "https://berth.example/servers/notes",
  redirect_uris: ["https://berth.example/connections/return/5c0f2f0d1a2b3c4d5e6f"],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
  scope: "notes.read",
};

/** What stands for the terms of a server. */
export const TERMS_EXAMPLE = "R9rNbFNSHQ7aSbMnGzZLWQGHNc6VJ8Zs0y1mM5cH9Vw";
