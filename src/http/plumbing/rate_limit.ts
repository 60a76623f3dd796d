/**
 * Limits of requests, and the fields that tell clients of them
 * (draft-ietf-httpapi-ratelimit-headers-10).
 *
 * @module
 */
import type { Context } from "hono";
import { AppError } from "../../errors.ts";
import type { HttpEnv } from "../environment.ts";
import { tooManyRequests } from "../failures.ts";
import { API, WEBHOOK_PATH } from "../links.ts";
import type { CountedRequest, RequestQuota } from "../../limits/requests.ts";
import type { LimitServices } from "../services.ts";

/**
 * Whether a request to `path` is counted: the API is, but for its description. Health,
 * documentation, static files, pages and the issuer, which has limits of its own, are elsewhere.
 * A payment provider tells of many buyers from one address.
 */
export function isCounted(path: string): boolean {
  return path.startsWith(`${API}/`) && path !== `${API}/openapi.json` && path !== WEBHOOK_PATH;
}

/** The fields, as structured fields (RFC 9651). */
function fieldsOf(quota: RequestQuota): [name: string, value: string][] {
  const { policy, max, windowSeconds, remaining, waitSeconds } = quota;
  return [
    ["RateLimit-Policy", `"${policy}";q=${max};w=${windowSeconds}`],
    ["RateLimit", `"${policy}";r=${remaining};t=${waitSeconds}`],
  ];
}

/** Counts the request for the user whose token it has, else for its address. */
async function count(c: Context<HttpEnv>, limits: LimitServices): Promise<CountedRequest> {
  const header = c.req.header("authorization");
  if (header !== undefined) {
    try {
      const { caller, counted } = await limits.countCaller(header);
      c.set("caller", caller);
      return counted;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Public routes ignore it, the others answer with it.
      c.set("tokenFailure", error);
    }
  }
  return await limits.countAddress(c.get("client"));
}

/**
 * Counts requests: what is returned throws for those over the limit (429), and has the limit told in
 * every other answer. It also authenticates, so that both take one round trip to the database. Where
 * that is unavailable, nothing can be served within limits, nor otherwise: 503.
 */
export function rateLimit(limits: LimitServices): (c: Context<HttpEnv>) => Promise<void> | void {
  async function take(c: Context<HttpEnv>): Promise<void> {
    const { quota, mark } = await count(c, limits);
    const fields = fieldsOf(quota);
    if (!quota.allowed) throw tooManyRequests(quota, Object.fromEntries(fields));
    c.set("mark", mark);
    c.set("limit", fields);
  }
  return (c) => isCounted(c.req.path) ? take(c) : undefined;
}
