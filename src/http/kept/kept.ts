/**
 * Routes whose responses are the same for everybody, as far as they are public: kept in memory, validated by entity tags,
 * compressed as the client asks.
 *
 * @module
 */
import type { Context, MiddlewareHandler } from "hono";
import type { HttpEnv } from "../environment.ts";
import { ByteResponse } from "./byte_response.ts";
import { type Coding, codingFor, encode } from "./coding.ts";
import type { Body, KeptResponse, Shelf } from "./shelf.ts";

/** Headers of a handler that are kept with its body. */
const KEPT_HEADERS = ["Content-Type", "Cache-Control", "Link"];

async function strongTag(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `"${digest.toBase64({ alphabet: "base64url", omitPadding: true })}"`;
}

/** What the handler answered; null for a failure. */
async function made(c: Context<HttpEnv>, about: string | null): Promise<KeptResponse | null> {
  if (c.res.status !== 200) return null;
  const { headers } = c.res;
  const bytes = await c.res.bytes();
  const etag = headers.get("ETag") ?? await strongTag(bytes);
  const named = KEPT_HEADERS.map((name) => [name, headers.get(name)] as const);
  return {
    headers: Object.fromEntries(named.filter((one): one is [string, string] => one[1] !== null)),
    plain: { bytes, etag },
    coded: new Map(),
    about: c.get("about") ?? about,
  };
}

/** Entity tags of codings differ: they name bytes. */
async function codedBody({ bytes, etag }: Body, coding: Coding): Promise<Body> {
  return { bytes: await encode(bytes, coding), etag: `${etag.slice(0, -1)}.${coding}"` };
}

/** Whether `If-None-Match` has `etag`, by the weak comparison (RFC 9110, 13.1.2). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((one) => {
    const tag = one.trim();
    return tag === "*" || tag === etag || tag === `W/${etag}`;
  });
}

async function answer(
  c: Context<HttpEnv>,
  response: KeptResponse,
  onGrowth: (bytes: number) => void,
): Promise<Response> {
  const coding = codingFor(c.req.header("accept-encoding"), response.plain.bytes.length);
  let body = response.plain;
  if (coding !== null) {
    const known = response.coded.get(coding);
    const coded = known ?? codedBody(body, coding);
    response.coded.set(coding, coded);
    body = await coded;
    if (known === undefined) onGrowth(body.bytes.length);
  }
  const { "Cache-Control": cacheControl = "no-cache" } = response.headers;
  const headers = {
    "Cache-Control": cacheControl,
    ETag: body.etag,
    Vary: "Accept-Encoding, Authorization",
  };
  const isFast = c.env?.takesBytes === true && c.req.raw.method === "GET";
  if (isKnown(c.req.header("if-none-match"), body.etag)) {
    const init = { status: 304, headers };
    return isFast ? new ByteResponse(null, init) : new Response(null, init);
  }
  const init = {
    status: 200,
    headers: {
      ...response.headers,
      ...headers,
      ...(coding === null ? {} : { "Content-Encoding": coding }),
    },
  };
  return isFast ? new ByteResponse(body.bytes, init) : new Response(body.bytes, init);
}

/** Whether only this caller may have it. */
function isPrivate({ headers }: KeptResponse): boolean {
  return headers["Cache-Control"]?.startsWith("private") === true;
}

interface KeptOptions {
  /**
   * The server whose changes alone change the response, by the route's own parameters; null when all
   * do, or when the handler sets `about`.
   */
  about?: (c: Context<HttpEnv>) => string | null;
  /** Whether this caller is answered what everybody is. */
  isForAll?: (c: Context<HttpEnv>) => Promise<boolean>;
}

/**
 * Keeps what the route answers with 200 under its address, for every caller: unless it is `private`,
 * it must be the same for all who are answered at all. What is kept is answered before anybody is asked
 * who they are.
 */
export function kept(
  shelf: Shelf,
  { about = () => null, isForAll = () => Promise.resolve(true) }: KeptOptions = {},
): MiddlewareHandler<HttpEnv> {
  return async function kept(c, next) {
    const mark = c.get("mark") ?? null;
    const { url } = c.req;
    const key = url.slice(url.indexOf("/", url.indexOf("://") + 3));
    let hasRun = false;
    let own: KeptResponse | null = null;
    async function make() {
      hasRun = true;
      await next();
      own = await made(c, about(c));
      return own !== null && isPrivate(own) ? null : own;
    }
    const isKept = mark !== null && await isForAll(c);
    const shared = isKept ? await shelf.find(key, mark, make) : null;
    // The one that was waited for is another caller's own, or has failed.
    if (shared === null && !hasRun) await make();
    const found = shared ?? own;
    if (found === null) return;
    c.res = undefined;
    c.res = await answer(c, found, (bytes) => shelf.grow(key, found, bytes));
  };
}
