/**
 * What Berth is at a service: a client of the server's owner, one without a secret that the author
 * declares, the operator's, one by the address of a document, or one that it registers itself.
 *
 * @module
 */
import { z } from "zod";
import type { Queryable } from "../database/client.ts";
import { ServiceClient } from "../keys/connection.ts";
import { nothingKept } from "../keys/failures.ts";
import { coversHosts } from "../keys/hosts.ts";
import { serviceId, serviceLabel, type SignInService } from "../keys/services.ts";
import { clientPlace, type ClientRow } from "../keys/store.ts";
import { clientName, documentAddress, returnAddress } from "./addresses.ts";
import type { ConnectionsDeps } from "./deps.ts";
import { mayRead } from "../access/rule.ts";
import { serviceUnreachable, serviceUnusable } from "./failures.ts";
import type { ServiceMetadata } from "./metadata.ts";
import { NoAnswer } from "./request.ts";
import { methodFor } from "./tokens.ts";

/** For which variable of which server a client is wanted. */
export interface ClientFor {
  server: string;
  name: string;
  /** Owner of the server. */
  owner: string;
  service: SignInService;
  /** Where the token may be sent. */
  hosts: readonly string[];
}

type StoredClient = ClientRow & { service: string; owner: string };

/** What a client that was registered holds for: it is no good for another service, or address. */
function registeredFor({ publicUrl }: ConnectionsDeps, service: SignInService): string {
  return `${serviceId(service)} ${returnAddress(publicUrl, service)}`;
}

/** The client that was stored for the variable as it is now. */
async function storedClient(
  deps: Pick<ConnectionsDeps, "sql" | "ring">,
  { server, name }: Pick<ClientFor, "server" | "name">,
  { origin, service, owner }: Pick<StoredClient, "origin" | "service" | "owner">,
): Promise<ServiceClient | null> {
  const [row] = await deps.sql<StoredClient[]>`
    select server, name, origin, key_id, wrapped, sealed, service, owner from service_clients
    where server = ${server} and name = ${name} and origin = ${origin}
      and service = ${service} and owner = ${owner}`;
  if (row === undefined || deps.ring === null) return null;
  const envelope = { keyId: row.key_id, wrapped: row.wrapped, sealed: row.sealed };
  const opened = await deps.ring.open(clientPlace(row), envelope);
  return opened === null ? null : ServiceClient.parse(JSON.parse(opened));
}

/** Stores a client; another of the same origin is replaced, or with `isFirst` left where it is. */
export async function putClient(
  deps: Pick<ConnectionsDeps, "ring" | "now">,
  sql: Queryable,
  row: Pick<StoredClient, "server" | "name" | "origin" | "service" | "owner">,
  client: ServiceClient,
): Promise<void> {
  if (deps.ring === null) throw nothingKept();
  const { keyId, wrapped, sealed } = await deps.ring.seal(
    clientPlace(row),
    JSON.stringify(client),
  );
  const { server, name, origin, service, owner } = row;
  await sql`
    insert into service_clients
      (server, name, origin, key_id, wrapped, sealed, service, owner, set_at)
    values (${server}, ${name}, ${origin}, ${keyId}, ${wrapped}, ${sealed}, ${service}, ${owner},
      ${deps.now()})
    on conflict (server, name, origin) do update set
      key_id = excluded.key_id, wrapped = excluded.wrapped, sealed = excluded.sealed,
      service = excluded.service, owner = excluded.owner, set_at = excluded.set_at
    where service_clients.origin = 'owner'
      or (service_clients.service, service_clients.owner) <> (excluded.service, excluded.owner)`;
}

const Registered = z.object({
  client_id: z.string().min(1).max(1000),
  client_secret: z.string().min(1).max(2000).optional(),
  token_endpoint_auth_method: z.string().optional(),
});

/** How a client that registers wants to prove itself: a secret only where there is no other way. */
function wantedMethod({ methods }: ServiceMetadata): string {
  if (methods === null || methods.includes("none")) return "none";
  return methodFor("", methods);
}

/** Registers at the service (RFC 7591). Two at once end with one client. */
async function register(
  deps: ConnectionsDeps,
  wanted: ClientFor,
  metadata: ServiceMetadata,
): Promise<ServiceClient | null> {
  const { service, server, name, owner } = wanted;
  const label = serviceLabel(service);
  let answer;
  try {
    answer = await deps.ask({
      method: "POST",
      url: metadata.registration_endpoint!,
      body: {
        client_name: clientName(deps.publicUrl, server),
        redirect_uris: [returnAddress(deps.publicUrl, service)],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: wantedMethod(metadata),
        ...(service.scopes.length === 0 ? {} : { scope: service.scopes.join(" ") }),
      },
    });
  } catch (error) {
    if (error instanceof NoAnswer) throw serviceUnreachable(label, error);
    throw error;
  }
  const parsed = Registered.safeParse(answer.body);
  if (![200, 201].includes(answer.status) || !parsed.success) {
    throw serviceUnusable(label, `refused to register this service (status ${answer.status})`);
  }
  const { client_id: id, client_secret: secret = null, token_endpoint_auth_method } = parsed.data;
  const methods = token_endpoint_auth_method === undefined
    ? metadata.methods
    : [token_endpoint_auth_method];
  const client = { id, secret, method: methodFor(secret, methods) };
  const kept = { origin: "registered" as const, service: registeredFor(deps, service), owner };
  await putClient(deps, deps.sql, { server, name, ...kept }, client);
  return await storedClient(deps, wanted, kept);
}

/** The operator's client, where the server asks for no more than the operator allows. */
function operatorClient(
  { operatorClients }: ConnectionsDeps,
  { service, hosts }: ClientFor,
  { methods }: ServiceMetadata,
): ServiceClient | null {
  const id = serviceId(service);
  const found = operatorClients.find((one) =>
    one.service === id && coversHosts(one.hosts, hosts) &&
    (one.scopes === null || service.scopes.every((scope) => one.scopes!.includes(scope)))
  );
  if (found === undefined) return null;
  const { clientId, clientSecret } = found;
  return { id: clientId, secret: clientSecret, method: methodFor(clientSecret, methods) };
}

/** Whether the service can read what Berth says of itself for the server, without signing in. */
async function showsDocument(
  { sql, publicUrl, readPolicy }: ConnectionsDeps,
  server: string,
): Promise<boolean> {
  if (!publicUrl.startsWith("https:") || readPolicy === "signed-in") return false;
  return await mayRead(sql, null, server);
}

/**
 * The client for a sign-in; null when somebody has to register one first.
 *
 * @throws {AppError} `unavailable`, `conflict` when the service does not register one.
 */
export async function findClient(
  deps: ConnectionsDeps,
  wanted: ClientFor,
  metadata: ServiceMetadata,
): Promise<ServiceClient | null> {
  const { service, server, name, owner } = wanted;
  const id = serviceId(service);
  const own = await storedClient(deps, wanted, { origin: "owner", service: id, owner });
  if (own !== null) return { ...own, method: methodFor(own.secret, metadata.methods) };
  if (service.client_id !== undefined) {
    return { id: service.client_id, secret: null, method: "none" };
  }
  const operators = operatorClient(deps, wanted, metadata);
  if (operators !== null) return operators;
  if (metadata.takes_documents && await showsDocument(deps, server)) {
    return { id: documentAddress(deps.publicUrl, server, name), secret: null, method: "none" };
  }
  if (metadata.registration_endpoint === null) return null;
  const kept = { origin: "registered" as const, service: registeredFor(deps, service), owner };
  return await storedClient(deps, wanted, kept) ?? await register(deps, wanted, metadata);
}
