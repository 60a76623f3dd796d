/**
 * HEAD requests.
 *
 * @module
 */
import type { Context } from "hono";
import type { HttpEnv } from "../environment.ts";

/**
 * Gives the response to HEAD the `Content-Length` that GET's has, and lets go of its body: the
 * framework answers HEAD with GET's handler and drops the body without ending what feeds it.
 */
export async function dropBody(c: Context<HttpEnv>): Promise<void> {
  if (c.res.body === null) return;
  const { status, headers } = c.res;
  if (headers.get("content-type")?.startsWith("text/event-stream")) {
    await c.res.body.cancel();
  } else {
    const { byteLength } = await c.res.arrayBuffer();
    headers.set("Content-Length", String(byteLength));
  }
  const kept = new Headers(headers);
  c.res = undefined;
  c.res = new Response(null, { status, headers: kept });
}
