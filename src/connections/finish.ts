/**
 * Finishing a sign-in at another service: from the answer that the browser brings to a connection.
 *
 * @module
 */
import { recordChange } from "../audit/audit.ts";
import type { Caller } from "../identity/caller.ts";
import type { Connection, Tokens } from "../keys/connection.ts";
import { nothingKept } from "../keys/failures.ts";
import { auditSubject, checkRoom } from "../keys/keep.ts";
import { serviceId, serviceLabel } from "../keys/services.ts";
import { isAgreed, putValue } from "../keys/store.ts";
import type { RequestContext } from "../request.ts";
import { returnAddress } from "./addresses.ts";
import { type Attempt, takeAttempt } from "./attempts.ts";
import { findClient } from "./clients.ts";
import type { ConnectionsDeps } from "./deps.ts";
import { connectionRefused, serviceUnreachable } from "./failures.ts";
import { NoAnswer } from "./request.ts";
import { type Connectable, findConnectable } from "./terms.ts";
import { type Granted, requestTokens } from "./tokens.ts";

/** What the browser came back with. */
export interface ConnectionAnswer {
  /** The service whose address it came to. */
  service: string;
  state: string;
  /** What the challenge was made of. */
  verifier: string;
  parameters: URLSearchParams;
}

const NOT_BEGUN = "This sign-in took too long, was begun by someone else, or has been used already";

/** The one value of a parameter; null when there is none. */
function only(parameters: URLSearchParams, name: string): string | null {
  const all = parameters.getAll(name);
  if (all.length > 1) throw connectionRefused("The answer has a parameter twice");
  return all[0] ?? null;
}

/**
 * The answer must be of the service that was asked (RFC 9207): where it does not name itself, the
 * address that it came to says so.
 */
function checkIssuer({ metadata, declared }: Attempt["service"], iss: string | null): void {
  if (iss === null && !metadata.names_itself) return;
  const expected = metadata.issuer ?? iss;
  const isSame = metadata.issuer === null
    ? URL.parse(iss ?? "")?.host === new URL(metadata.authorization_endpoint).host
    : iss === expected;
  if (isSame) return;
  throw connectionRefused(`The answer does not come from ${serviceLabel(declared)}`);
}

/** The code, once the answer is what it must be. */
function codeOf({ service }: Attempt, parameters: URLSearchParams): string {
  checkIssuer(service, only(parameters, "iss"));
  const error = only(parameters, "error");
  if (error === "access_denied") {
    throw connectionRefused(`You or ${serviceLabel(service.declared)} cancelled the sign-in`);
  }
  if (error !== null) {
    const shown = error.replace(/[^\w.-]/g, "?").slice(0, 60);
    throw connectionRefused(`${serviceLabel(service.declared)} refused the sign-in (${shown})`);
  }
  const code = only(parameters, "code");
  if (code === null || code === "" || code.length > 4096) {
    throw connectionRefused("The answer has no code");
  }
  return code;
}

/** The attempt of this browser and user, at the address of the service that was asked. */
async function ownAttempt(
  deps: ConnectionsDeps,
  caller: Caller,
  { state, service }: ConnectionAnswer,
): Promise<Attempt> {
  const attempt = await takeAttempt(deps.sql, state, deps.now());
  if (attempt === null || attempt.subject !== caller.userId) throw connectionRefused(NOT_BEGUN);
  if (serviceId(attempt.service.declared) !== service) {
    throw connectionRefused("The answer came to the address of another service");
  }
  return attempt;
}

/** The server must be what the user agreed to, until the last moment. */
function checkUnchanged({ server, terms, service }: Attempt, now: Connectable): void {
  const asked = serviceId(service.declared) === serviceId(now.service) &&
    now.service.scopes.every((scope) => service.declared.scopes.includes(scope));
  if (asked && isAgreed(terms, now.terms)) return;
  throw connectionRefused(`"${server}" has changed since you agreed. Look again, then repeat it`);
}

async function exchangeCode(
  deps: ConnectionsDeps,
  { declared, metadata, client_id: id }: Attempt["service"],
  now: Connectable,
  { code, verifier }: { code: string; verifier: string },
): Promise<{ granted: Granted; client: Tokens["client"] }> {
  const label = serviceLabel(declared);
  const { server, name, terms, service, whole } = now;
  const wanted = { server, name, owner: whole.owner, service, hosts: terms.hosts };
  const client = await findClient(deps, wanted, metadata);
  if (client === null || client.id !== id) {
    throw connectionRefused(`The registration at ${label} has changed. Start again`);
  }
  const fields = {
    grant_type: "authorization_code",
    code,
    redirect_uri: returnAddress(deps.publicUrl, declared),
    code_verifier: verifier,
  };
  try {
    const endpoint = metadata.token_endpoint;
    const outcome = await requestTokens(deps.ask, { endpoint, client, fields });
    if (outcome.kind === "granted") return { granted: outcome.granted, client };
    throw connectionRefused(`${label} did not accept the sign-in (${outcome.reason})`);
  } catch (error) {
    if (error instanceof NoAnswer) throw serviceUnreachable(label, error);
    throw error;
  }
}

/** What the row tells of tokens that were given at `now`. */
export function connectionOf(
  { service, label, scopes }: Pick<Connection, "service" | "label" | "scopes">,
  { expiresIn, scopes: granted, refresh }: Granted,
  now: Date,
): Connection {
  const expires = expiresIn === null ? null : new Date(now.getTime() + expiresIn * 1000);
  return {
    service,
    label,
    scopes,
    granted,
    expires_at: expires?.toISOString() ?? null,
    renews: refresh !== null,
    ended: false,
  };
}

/**
 * Keeps the tokens of a sign-in that the caller began in this browser.
 *
 * @returns The server and the variable that are connected.
 * @throws {AppError} `conflict` when the answer is not what it must be; `unavailable`.
 */
export async function finishConnection(
  deps: ConnectionsDeps,
  caller: Caller,
  answer: ConnectionAnswer,
  context: RequestContext,
): Promise<{ server: string; variable: string }> {
  const { sql, ring } = deps;
  if (ring === null) throw nothingKept();
  const attempt = await ownAttempt(deps, caller, answer);
  const code = codeOf(attempt, answer.parameters);
  const { server, name, subject, terms, service: { declared, metadata } } = attempt;
  const now = await findConnectable(sql, caller, server, name);
  checkUnchanged(attempt, now);
  const { verifier } = answer;
  const { granted, client } = await exchangeCode(deps, attempt.service, now, { code, verifier });
  const time = deps.now();
  const { scopes } = declared;
  const about = { service: serviceId(declared), label: serviceLabel(declared), scopes };
  const connection = connectionOf(about, granted, time);
  const place = { server, subject, name };
  const { token_endpoint, revocation_endpoint } = metadata;
  const { access, refresh } = granted;
  const tokens: Tokens = { access, refresh, client, token_endpoint, revocation_endpoint };
  const envelope = await ring.seal(place, JSON.stringify(tokens));
  await sql.begin(async (tx) => {
    await checkRoom(tx, subject);
    await putValue(tx, { place, envelope, terms, connection, now: time });
    await recordChange(tx, {
      actor: subject,
      action: "keys.connect",
      subject: auditSubject(server, subject, name),
      requestId: context.requestId,
      at: time,
      details: { variable: name, service: about.label, scopes },
    });
  });
  return { server, variable: name };
}
