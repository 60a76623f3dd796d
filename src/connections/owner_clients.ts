/**
 * Clients that the owner of a server has registered at a service, for all its users.
 *
 * @module
 */
import { z } from "zod";
import { recordChange } from "../audit/audit.ts";
import type { Caller } from "../identity/caller.ts";
import { serviceId, serviceLabel } from "../keys/services.ts";
import type { RequestContext } from "../request.ts";
import { returnAddress } from "./addresses.ts";
import { putClient } from "./clients.ts";
import type { ConnectionsDeps } from "./deps.ts";
import { noClientStored, notYourClient } from "./failures.ts";
import { type Connectable, findConnectable } from "./terms.ts";

const visible = (max: number) =>
  z.string().trim().min(1).max(max).refine(
    (text) => /^[\x21-\x7e]+$/.test(text),
    "must be visible ASCII characters",
  );

/** Body of a request to store a client. */
export const StoreClient = z.strictObject({
  client_id: visible(1000),
  client_secret: visible(2000).optional().meta({
    description: "Stored encrypted, and never shown again. Absent for a client without one",
    format: "password",
    writeOnly: true,
  }),
}).meta({ id: "StoreClient" });
export type StoreClient = z.infer<typeof StoreClient>;

/** A client at a service, without its secret. */
export const StoredClient = z.object({
  service: z.string().meta({ example: "GitHub" }),
  redirect_uri: z.string().meta({
    description: "Register the client there with exactly this address",
    example: "https://berth.example/connections/return/5c0f2f0d1a2b3c4d5e6f",
  }),
  stored: z.boolean().meta({ description: "Whether the owner has stored a client" }),
  set_at: z.iso.datetime().nullable(),
}).meta({ id: "StoredClient" });
export type StoredClient = z.infer<typeof StoredClient>;

export interface ClientPlace {
  server: string;
  variable: string;
}

async function ownConnectable(
  { sql }: ConnectionsDeps,
  caller: Caller,
  { server, variable }: ClientPlace,
): Promise<Connectable> {
  const found = await findConnectable(sql, caller, server, variable);
  if (caller.isAdmin || caller.userId === found.whole.owner) return found;
  throw notYourClient(server);
}

/**
 * What is stored, and how a client is to be registered.
 *
 * @throws {AppError} `not_found`, `forbidden`.
 */
export async function showClient(
  deps: ConnectionsDeps,
  caller: Caller,
  place: ClientPlace,
): Promise<StoredClient> {
  const { service, whole } = await ownConnectable(deps, caller, place);
  const [row] = await deps.sql<{ set_at: Date }[]>`
    select set_at from service_clients
    where server = ${place.server} and name = ${place.variable} and origin = 'owner'
      and service = ${serviceId(service)} and owner = ${whole.owner}`;
  return {
    service: serviceLabel(service),
    redirect_uri: returnAddress(deps.publicUrl, service),
    stored: row !== undefined,
    set_at: row?.set_at.toISOString() ?? null,
  };
}

/**
 * Stores a client in the place of another. It is used for this service and this owner only.
 *
 * @throws {AppError} `not_found`, `forbidden`, `conflict` where nothing is kept.
 */
export async function storeClient(
  deps: ConnectionsDeps,
  caller: Caller,
  place: ClientPlace,
  { client_id: id, client_secret: secret }: StoreClient,
  context: RequestContext,
): Promise<void> {
  const { server, name, service, whole } = await ownConnectable(deps, caller, place);
  const row = {
    server,
    name,
    origin: "owner" as const,
    service: serviceId(service),
    owner: whole.owner,
  };
  // How it proves itself is settled when the service is asked.
  const client = { id, secret: secret ?? null, method: "none" as const };
  await deps.sql.begin(async (tx) => {
    await putClient(deps, tx, row, client);
    await recordChange(tx, {
      actor: caller.userId,
      action: "keys.client_set",
      subject: server,
      requestId: context.requestId,
      at: deps.now(),
      details: { variable: name, service: serviceLabel(service) },
    });
  });
}

/**
 * Removes a client. Connections go on until their tokens run out.
 *
 * @throws {AppError} `not_found`, `forbidden`.
 */
export async function removeClient(
  deps: ConnectionsDeps,
  caller: Caller,
  place: ClientPlace,
  context: RequestContext,
): Promise<void> {
  const { server, name, service } = await ownConnectable(deps, caller, place);
  await deps.sql.begin(async (tx) => {
    const removed = await tx`
      delete from service_clients
      where server = ${server} and name = ${name} and origin = 'owner' returning 1`;
    if (removed.length === 0) throw noClientStored(server, name);
    await recordChange(tx, {
      actor: caller.userId,
      action: "keys.client_remove",
      subject: server,
      requestId: context.requestId,
      at: deps.now(),
      details: { variable: name, service: serviceLabel(service) },
    });
  });
}
