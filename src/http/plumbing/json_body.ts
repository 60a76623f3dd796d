/**
 * Reads a JSON body before the schema looks at it.
 *
 * @module
 */
import type { MiddlewareHandler } from "hono";
import { AppError } from "../../errors.ts";
import { bodyRoom } from "../../execution/transport/content.ts";
import type { HttpEnv } from "../environment.ts";
import {
  bodyCompressed,
  bodyIncomplete,
  bodyMalformed,
  bodyNotJson,
  bodyTooLarge,
  bodyUnstorable,
} from "../failures.ts";

/** Largest body of the registry API, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Bytes of the bodies of one route that are not answered yet. */
const ROOM_BYTES = 64 * MAX_BODY_BYTES;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;

/** Throws `unsupported_media_type` when the body is not plain JSON by its headers. */
export function checkMediaType(request: Request): void {
  if (!JSON_TYPE.test(request.headers.get("content-type") ?? "")) throw bodyNotJson();
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") throw bodyCompressed();
}

/**
 * The bytes of `request`, at most `limit` of them, whatever `Content-Length` says.
 *
 * @param take Called with the bytes of each part before it is kept; throws where there is no room.
 */
export async function readBody(
  request: Request,
  limit: number,
  take: (bytes: number) => void = () => {},
): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw bodyTooLarge(limit);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for await (const part of request.body ?? []) {
      size += part.byteLength;
      if (size > limit) throw bodyTooLarge(limit);
      take(part.byteLength);
      parts.push(part);
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw bodyIncomplete(cause);
  }
  return await new Blob(parts).bytes();
}

function parse(bytes: Uint8Array): { text: string; value: unknown } {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch (cause) {
    throw bodyMalformed(cause);
  }
}

/** Whether all texts in `value`, keys too, can be stored: no NUL, no half of a surrogate pair. */
function isStorable(value: unknown): boolean {
  // Own stack: how deep a body nests is the sender's choice.
  const rest = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    if (typeof one === "string" && (one.includes("\0") || !one.isWellFormed())) return false;
    if (typeof one === "object" && one !== null) {
      for (const [key, member] of Object.entries(one)) rest.push(key, member);
    }
  }
  return true;
}

/**
 * Refuses what is not JSON (415), too large (413), or not readable (400), and leaves the text to the
 * route's schema. A repeated key has its last value, everywhere.
 *
 * @param options.room Bytes of all bodies of the route that are not answered yet; beyond it 503.
 */
export function jsonBody(
  options: { limit: number; room?: number } = { limit: MAX_BODY_BYTES },
): MiddlewareHandler<HttpEnv> {
  const room = bodyRoom(options.room ?? ROOM_BYTES);
  return async function jsonBody(c, next) {
    checkMediaType(c.req.raw);
    let held = 0;
    function take(bytes: number): void {
      room.take(bytes);
      held += bytes;
    }
    try {
      const { text, value } = parse(await readBody(c.req.raw, options.limit, take));
      if (!isStorable(value)) throw bodyUnstorable();
      c.req.raw = new Request(c.req.raw.url, {
        method: c.req.raw.method,
        headers: { ...c.req.header(), "content-type": "application/json" },
        body: text,
        signal: c.req.raw.signal,
      });
      await next();
    } finally {
      room.give(held);
    }
  };
}
