/**
 * Requests to services that strangers declare: each goes through the checks of the egress broker
 * (addresses, ports, hosts of the operator), follows no redirect, and is bounded in size and time.
 *
 * @module
 */
import { dial, type DialDeps } from "../egress/dial.ts";
import { exchange } from "../egress/exchange.ts";
import { checkHost, isOfOperator } from "../egress/policy.ts";
import { prepareRequest } from "../egress/request_check.ts";

/** Milliseconds for one request. */
export const REQUEST_TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

export interface ServiceRequest {
  method: "GET" | "POST";
  url: string;
  headers?: readonly (readonly [string, string])[];
  /** A form, or what is sent as JSON. */
  body?: URLSearchParams | Record<string, unknown>;
}

export interface ServiceAnswer {
  status: number;
  /** The JSON of the body; null when it is none. */
  body: unknown;
}

/** Thrown when there is no answer. The message is for the log of the operator. */
export class NoAnswer extends Error {
  /** @param reason Why, as the broker says it. */
  constructor(reason: string) {
    super(reason);
    this.name = "NoAnswer";
  }
}

/** Sends one request, whatever its status is. @throws {NoAnswer} When there is no whole answer. */
export type AskService = (request: ServiceRequest) => Promise<ServiceAnswer>;

function encoded(body: ServiceRequest["body"]): { bytes: Uint8Array | null; type: string | null } {
  if (body === undefined) return { bytes: null, type: null };
  const isForm = body instanceof URLSearchParams;
  return {
    bytes: new TextEncoder().encode(isForm ? body.toString() : JSON.stringify(body)),
    type: isForm ? "application/x-www-form-urlencoded" : "application/json",
  };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}

/** Makes the function; `deps.policy` says which inner addresses are allowed, if any. */
export function createAskService(deps: DialDeps): AskService {
  return async ({ method, url, headers = [], body }) => {
    const { bytes, type } = encoded(body);
    const prepared = prepareRequest({
      method,
      url,
      headers: [
        ["accept", "application/json"],
        ["accept-encoding", "identity"],
        ["user-agent", "Berth"],
        ...(type === null ? [] : [["content-type", type] as [string, string]]),
        ...headers.map(([name, value]): [string, string] => [name, value]),
      ],
      body: bytes,
      connectTimeoutMs: REQUEST_TIMEOUT_MS,
      readTimeoutMs: REQUEST_TIMEOUT_MS,
      verify: true,
    });
    if (prepared.kind === "error") throw new NoAnswer(prepared.message);
    const { host, port, secure } = prepared;
    if (!secure && !isOfOperator(deps.policy, host, port)) {
      throw new NoAnswer(`"${host}" must be asked over TLS, or be named in EGRESS_ALLOW`);
    }
    const refusal = checkHost(deps.policy, host, port);
    if (refusal !== null) throw new NoAnswer(refusal);
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const dialled = await dial(deps, prepared, {
      timeoutMs: REQUEST_TIMEOUT_MS,
      verify: true,
      signal,
    });
    if (dialled.kind === "error") throw new NoAnswer(dialled.message);
    let held = 0;
    const outcome = await exchange(prepared, dialled.socket, {
      readTimeoutMs: REQUEST_TIMEOUT_MS,
      signal,
      hold(count) {
        held += count;
        return held > MAX_BYTES ? `The response is larger than ${MAX_BYTES} bytes` : null;
      },
    });
    if (outcome.kind === "error") throw new NoAnswer(outcome.message);
    return { status: outcome.status, body: jsonOf(outcome.body) };
  };
}
