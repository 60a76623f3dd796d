/**
 * Conditional requests and preferences (RFC 9110, 13; RFC 7240).
 *
 * @module
 */
import { etag } from "hono/etag";
import type { Visibility } from "../access/schema.ts";

/** Clients may keep what is public, and ask each time whether it changed. */
export const REVALIDATE = "public, no-cache";

/** As {@link REVALIDATE}, for what not everybody may read: nobody else keeps it. */
export const PRIVATE = "private, no-cache";

/** The one that fits what `visibility` says of a server. */
export function cacheControlFor(visibility: Visibility): string {
  return visibility === "public" ? REVALIDATE : PRIVATE;
}

/** Answers 304 where `If-None-Match` has the response's tag; makes a strong tag where none is set. */
export function conditional() {
  return etag({
    generateDigest: (bytes) => crypto.subtle.digest("SHA-256", bytes as BufferSource),
  });
}

/** Whether the client asks not to wait for a long change. */
export function prefersAsync(prefer: string | undefined): boolean {
  return (prefer ?? "").split(",").some((one) =>
    one.split(";")[0]!.trim().toLowerCase() === "respond-async"
  );
}
