/**
 * Connections: kept values that are tokens of another service, which Berth renews. What a row tells of
 * one stands in its column `connection`, the tokens themselves are its sealed value.
 *
 * @module
 */
import { z } from "zod";
import { serviceId, type SignInService } from "./services.ts";

/** What a row tells of its connection. */
export const Connection = z.object({
  /** {@link serviceId} of the service that the user signed in at. */
  service: z.string(),
  /** What people call it. */
  label: z.string(),
  /** What the user agreed to. */
  scopes: z.array(z.string()),
  /** What the service gave, where it says so. */
  granted: z.array(z.string()).nullable(),
  /** When the token runs out; null: it does not, as far as the service says. */
  expires_at: z.iso.datetime().nullable(),
  /** Whether Berth can get a new one. */
  renews: z.boolean(),
  /** The service gives no new one any more. */
  ended: z.boolean(),
});
export type Connection = z.infer<typeof Connection>;

/** What Berth is at the service. */
export const ServiceClient = z.object({
  id: z.string(),
  secret: z.string().nullable(),
  /** How it proves itself (RFC 7591, `token_endpoint_auth_method`). */
  method: z.enum(["none", "client_secret_basic", "client_secret_post"]),
});
export type ServiceClient = z.infer<typeof ServiceClient>;

/** The sealed value of a connection. */
export const Tokens = z.object({
  access: z.string(),
  refresh: z.string().nullable(),
  client: ServiceClient,
  token_endpoint: z.string(),
  revocation_endpoint: z.string().nullable(),
});
export type Tokens = z.infer<typeof Tokens>;

/** The tokens in an opened value. @throws {Error} When it is none of a connection. */
export function tokensIn(opened: string): Tokens {
  return Tokens.parse(JSON.parse(opened));
}

/** Whether the token is of no use any more, and no new one will come. */
export function isSpent({ ended, renews, expires_at }: Connection, now: Date): boolean {
  return ended || !renews && expires_at !== null && Date.parse(expires_at) <= now.getTime();
}

/** Whether the token is for what the server asks for now. */
export function isFor(connection: Connection, asked: SignInService | null): boolean {
  return asked !== null && serviceId(asked) === connection.service &&
    asked.scopes.every((scope) => connection.scopes.includes(scope));
}
