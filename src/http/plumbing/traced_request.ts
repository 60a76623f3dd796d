/**
 * A span for each request.
 *
 * @module
 */
import type { Context } from "hono";
import { routePath } from "hono/route";
import { failSpan, inSpan, readParent, TRACEPARENT } from "../../tracing.ts";
import type { HttpEnv } from "../environment.ts";
import { QUIET_PATHS } from "./access_log.ts";

const SERVER_FAULT = 500;

/**
 * Runs `work`, which answers the request, in a span that goes on with the caller's trace. The query
 * and the path's own values are left out: clients put secrets there.
 */
export async function tracedRequest(c: Context<HttpEnv>, work: () => Promise<void>): Promise<void> {
  if (QUIET_PATHS.has(c.req.path)) return await work();
  const { method } = c.req.raw;
  await inSpan({
    name: method,
    isServer: true,
    parent: readParent(c.req.header(TRACEPARENT)),
    attributes: { "http.request.method": method },
  }, async (span) => {
    await work();
    const { status } = c.res;
    const route = routePath(c, -1);
    span.updateName(`${method} ${route}`);
    span.setAttributes({
      "http.route": route,
      "http.response.status_code": status,
      "berth.request_id": c.get("requestId"),
    });
    if (status >= SERVER_FAULT) failSpan(span, String(status));
  });
}
