/**
 * Beginning a sign-in at another service (OAuth 2.1: authorization code with PKCE).
 *
 * @module
 */
import type { Caller } from "../identity/caller.ts";
import { nothingKept } from "../keys/failures.ts";
import { serviceLabel, type SignInService } from "../keys/services.ts";
import { checkShown } from "../keys/shown_terms.ts";
import type { Rule } from "../limits/window.ts";
import { returnAddress } from "./addresses.ts";
import { putAttempt } from "./attempts.ts";
import { findClient } from "./clients.ts";
import type { ConnectionsDeps } from "./deps.ts";
import { noClientThere, tooManyConnections } from "./failures.ts";
import type { ServiceMetadata } from "./metadata.ts";
import { findConnectable } from "./terms.ts";

/** Each makes Berth send requests to an address that a stranger chose. */
const RULE: Rule = { max: 30, windowSeconds: 3600 };

/** What binds the answer to the browser that begins. */
export interface Binding {
  /** A random text that only this browser can know. */
  state: string;
  /** SHA-256 of another one, in base64url (RFC 7636, S256). */
  challenge: string;
}

function authorizationAddress(
  service: SignInService,
  { authorization_endpoint: page }: ServiceMetadata,
  parameters: Record<string, string>,
): string {
  const url = new URL(page);
  const scope = service.scopes.join(" ");
  const all = {
    ...service.parameters,
    ...(scope === "" ? {} : { scope }),
    response_type: "code",
    code_challenge_method: "S256",
    ...parameters,
  };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Notes that the caller agrees to what was `shown` of a server, and begins.
 *
 * @returns Where the browser is to go.
 * @throws {AppError} `not_found`; `conflict` when the server has changed, nothing is kept here, or
 * Berth is not registered at the service; `rate_limited`; `unavailable`.
 */
export async function beginConnection(
  deps: ConnectionsDeps,
  caller: Caller,
  { server, variable: name, shown }: { server: string; variable: string; shown: string },
  { state, challenge }: Binding,
): Promise<string> {
  if (deps.ring === null) throw nothingKept();
  const { service, terms, whole } = await findConnectable(deps.sql, caller, server, name);
  checkShown(server, whole, shown);
  const attempt = await deps.attempts.take(`connect ${caller.userId}`, RULE);
  if (!attempt.allowed) throw tooManyConnections(attempt.retryAfterSeconds);
  const metadata = await deps.metadata(service);
  const wanted = { server, name, owner: whole.owner, service, hosts: terms.hosts };
  const client = await findClient(deps, wanted, metadata);
  if (client === null) throw noClientThere(serviceLabel(service));
  const begun = { declared: service, metadata, client_id: client.id };
  const row = { server, subject: caller.userId, name, terms, service: begun };
  await putAttempt(deps.sql, state, row, deps.now());
  return authorizationAddress(service, metadata, {
    client_id: client.id,
    redirect_uri: returnAddress(deps.publicUrl, service),
    state,
    code_challenge: challenge,
  });
}
