/**
 * Dynamic client registration (RFC 7591), open to everyone and therefore bounded.
 *
 * @module
 */
import type { ClientMetadata } from "oidc-provider";
import type { Rule } from "../../limits/window.ts";
import type { IssuerDeps } from "../deps.ts";
import { networkOf } from "../guard.ts";
import type { IssuerRequest } from "../request.ts";
import type { IssuerRoute } from "../route.ts";
import { checkMetadata } from "./metadata.ts";
import { insertClient } from "./store.ts";

/** Address of the endpoint below the issuer's. */
export const REGISTRATION_PATH = "/register";

/** Registrations from one network. */
const REGISTRATION_RULE: Rule = { max: 30, windowSeconds: 3600 };
const MAX_BYTES = 16 * 1024;

function failure(
  status: number,
  error: string,
  description: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ error, error_description: description }, {
    status,
    headers: { "Cache-Control": "no-store", ...headers },
  });
}

function readObject(request: IssuerRequest): Record<string, unknown> | null {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) return null;
  if (request.body.byteLength > MAX_BYTES) return null;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(request.body);
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? value as Record<string, unknown> : null;
  } catch {
    return null;
  }
}

/** What the client is told: what was registered, which may differ from what it asked for. */
function registered(client: ClientMetadata, now: Date) {
  return { ...client, client_id_issued_at: Math.floor(now.getTime() / 1000) };
}

async function register(deps: IssuerDeps, request: IssuerRequest): Promise<Response> {
  const { attempts } = deps;
  const attempt = await attempts.take(
    `register client from ${networkOf(request.client)}`,
    REGISTRATION_RULE,
  );
  if (!attempt.allowed) {
    return failure(429, "temporarily_unavailable", "Too many clients from this network", {
      "Retry-After": String(Math.max(1, attempt.retryAfterSeconds)),
    });
  }
  const document = readObject(request);
  if (document === null) {
    return failure(
      400,
      "invalid_client_metadata",
      `Send one JSON object of at most ${MAX_BYTES} bytes`,
    );
  }
  const checked = checkMetadata(deps.newId(), document);
  if (checked.kind === "refused") return failure(400, checked.error, checked.fault);
  const now = deps.now();
  if (!await insertClient(deps.sql, checked.metadata, now)) {
    deps.log.warn("issuer.too_many_clients", {});
    return failure(503, "temporarily_unavailable", "Too many clients are registered", {
      "Retry-After": "3600",
    });
  }
  return Response.json(registered(checked.metadata, now), {
    status: 201,
    headers: { "Cache-Control": "no-store" },
  });
}

export function registrationRoute(deps: IssuerDeps): IssuerRoute {
  return {
    method: "POST",
    path: REGISTRATION_PATH,
    handle: (request) => register(deps, request),
  };
}
