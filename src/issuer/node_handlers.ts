/**
 * From requests as Deno serves them to the Node handlers of `oidc-provider` and back, in memory.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import inject, { type DispatchFunc } from "light-my-request";
import type { IssuerAddress } from "./address.ts";
import { PROVIDER_CSP } from "./pages/respond.ts";
import type { IssuerRequest } from "./request.ts";

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Headers that are passed on; everything about hosts and proxies is set from the configuration. */
const PASSED = [
  "accept",
  "accept-language",
  "authorization",
  "content-type",
  "cookie",
  "origin",
  "user-agent",
];
const WITHOUT_BODY = new Set([204, 205, 304]);
type InjectMethod = "GET" | "POST" | "PUT" | "DELETE";

function headersFor(request: IssuerRequest, address: IssuerAddress): Record<string, string> {
  const headers: Record<string, string> = {
    host: address.host,
    "x-forwarded-proto": address.secure ? "https" : "http",
  };
  for (const name of PASSED) {
    const value = request.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return headers;
}

/** The response's headers without those on cross-origin access: the listener sets its own. */
function headersFrom(sent: Record<string, unknown>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(sent)) {
    if (name.startsWith("access-control-") || name === "content-length") continue;
    if (name === "connection" || name === "date" || value === undefined) continue;
    for (const one of [value].flat()) headers.append(name, String(one));
  }
  return headers;
}

/** Answers `request` by `handler`. Rejects with whatever the handler throws. */
export async function viaNode(
  request: IssuerRequest,
  address: IssuerAddress,
  handler: NodeHandler,
): Promise<Response> {
  const search = request.query.size === 0 ? "" : `?${request.query}`;
  const failed = Promise.withResolvers<never>();
  async function dispatch(incoming: IncomingMessage, outgoing: ServerResponse) {
    // The provider makes its addresses from the difference of these two.
    Object.assign(incoming, { originalUrl: `${address.path}${incoming.url}` });
    outgoing.setHeader("content-security-policy", PROVIDER_CSP);
    try {
      await handler(incoming, outgoing);
    } catch (error) {
      failed.reject(error);
    }
  }
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const answered = inject(dispatch as unknown as DispatchFunc, {
    method: request.method as InjectMethod,
    url: `${request.path}${search}`,
    headers: headersFor(request, address),
    ...(hasBody ? { payload: Buffer.from(request.body) } : {}),
    ...(request.client === null ? {} : { remoteAddress: request.client }),
  });
  const response = await Promise.race([answered, failed.promise]);
  const body = WITHOUT_BODY.has(response.statusCode) || response.rawPayload.length === 0
    ? null
    : new Uint8Array(response.rawPayload);
  return new Response(body, {
    status: response.statusCode,
    headers: headersFrom(response.headers),
  });
}
