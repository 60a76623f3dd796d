/**
 * What both listeners do with every request, whatever its route.
 *
 * @module
 */
import type { Context, Hono, MiddlewareHandler } from "hono";
import type { RoomWatch } from "../../database/room.ts";
import type { Logger } from "../../log.ts";
import type { AppError } from "../../errors.ts";
import { type Failure, failureEnvelope, toAppError } from "../envelopes.ts";
import type { HttpEnv } from "../environment.ts";
import { pathNotFound } from "../failures.ts";
import { logAccess } from "./access_log.ts";
import { checkAddress } from "./address_check.ts";
import { allowAskedNames, corsHeaders, type CorsOptions, preflight } from "./cors.ts";
import { countFailure, countRequest, type HttpMetrics } from "./count_requests.ts";
import { dropBody } from "./head.ts";
import { hostCheck } from "./host_check.ts";
import { tracedRequest } from "./traced_request.ts";
import { identifier } from "./request_id.ts";
import { DEFAULT_HEADERS, securityHeaders } from "./security_headers.ts";

/** What every listener is given, whatever it answers. */
export interface ListenerServices {
  log: Logger;
  now: () => Date;
  /** Makes request ids. */
  newId: () => string;
  /** Address that the listener binds. */
  bindHost: string;
  /** Public address of the listener, without a trailing slash. */
  publicUrl: string;
  /** Addresses and blocks whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  /** Where requests are counted for the operator. */
  metrics?: HttpMetrics;
  /** Told of failures: they say whether the database has room. */
  room?: RoomWatch;
}

/** What a listener needs for {@link installPlumbing}. */
export interface PlumbingOptions extends ListenerServices {
  /** Null: pages of other origins may read nothing. */
  cors: CorsOptions | null;
  /** Counts a request against the limits, whatever becomes of it; throws where it is over them. */
  rateLimit?: (c: Context<HttpEnv>) => Promise<void> | void;
  /** The body of a failure; the envelope itself by default. May set headers in `failure`. */
  failureBody?: (failure: Failure, c: Context<HttpEnv>) => unknown;
  /** A page in place of the envelope; null where the request is a program's. */
  failurePage?: (error: AppError, c: Context<HttpEnv>) => Promise<Response> | null;
}

/** Logs what the operator must know of a failure. Expected ones are in the access log only. */
function logFailure(log: Logger, error: AppError): void {
  if (error.code === "internal") log.error("http.failed", { error: error.cause ?? error });
  else if (error.code === "unavailable" && error.cause !== undefined) {
    log.warn("http.unavailable", { error: error.cause });
  }
}

/**
 * Installs request ids, the access log, CORS, security headers, limits, the `Host` check and the
 * mapping of failures on `app`. Call it before adding routes.
 *
 * Every failure, also those of unknown addresses, is JSON, or a page for browsers that ask for one;
 * none shows internals.
 */
export function installPlumbing(app: Hono<HttpEnv>, options: PlumbingOptions): void {
  function respond(c: Context<HttpEnv>, error: AppError): Response | Promise<Response> {
    const page = options.failurePage?.(error, c) ?? null;
    if (page !== null) return page;
    const failure = failureEnvelope(error, c.get("requestId"));
    const body = options.failureBody?.(failure, c) ?? failure.body;
    return Response.json(body, { status: failure.status, headers: failure.headers });
  }
  app.onError((thrown, c) => {
    const error = toAppError(thrown);
    options.room?.note(thrown);
    if (options.metrics !== undefined) countFailure(options.metrics, error);
    logFailure(c.get("log"), error);
    return respond(c, error);
  });
  app.notFound((c) => respond(c, pathNotFound()));
  // Two layers, not one for each thing to do: a layer costs a small answer more than most of those.
  app.use(around(options), before(options));
}

/** What is done around every request, whatever is thrown inside. */
function around(options: PlumbingOptions): MiddlewareHandler<HttpEnv> {
  const { metrics, cors } = options;
  const identify = identifier(options);
  const fixed = Object.entries({
    ...(cors === null ? {} : corsHeaders(cors)),
    ...securityHeaders(options),
  });

  function addHeaders(c: Context<HttpEnv>): void {
    const { headers } = c.res;
    for (const [name, value] of fixed) headers.set(name, value);
    for (const [name, value] of DEFAULT_HEADERS) if (!headers.has(name)) headers.set(name, value);
    for (const [name, value] of c.get("limit") ?? []) headers.set(name, value);
    headers.set("X-Request-Id", c.get("requestId"));
    if (cors !== null) allowAskedNames(c, cors);
  }

  return (c, next) =>
    tracedRequest(c, async () => {
      const start = performance.now();
      identify(c);
      const { method } = c.req.raw;
      if (cors !== null && method === "OPTIONS") c.res = preflight();
      else await next();
      addHeaders(c);
      if (method === "HEAD") await dropBody(c);
      const ms = performance.now() - start;
      logAccess(c, ms);
      if (metrics !== undefined) countRequest(metrics, c, ms);
    });
}

/** What a request must pass before its route sees it. */
function before(options: PlumbingOptions): MiddlewareHandler<HttpEnv> {
  const { rateLimit } = options;
  const checkHost = hostCheck(options);
  return async function checks(c, next) {
    await rateLimit?.(c);
    checkHost(c);
    checkAddress(c);
    await next();
  };
}
