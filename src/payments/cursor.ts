/**
 * Cursors of lists of payments, newest first: where a page ends.
 *
 * @module
 */
import { z } from "zod";
import type { Queryable } from "../database/client.ts";
import { AppError } from "../errors.ts";

/** The place of a payment in a list. */
export const Place = z.strictObject({
  at: z.iso.datetime(),
  provider: z.string().max(100).regex(/^[\w-]+$/),
  reference: z.string().max(200).refine((text) => !text.includes("\0") && text.isWellFormed()),
});
/** See {@link Place}. */
export type Place = z.infer<typeof Place>;

/** The cursor of the page behind `place`. */
export function encodeCursor({ at, provider, reference }: Place): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ at, provider, reference }));
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

function parse(cursor: string): Place | null {
  try {
    const bytes = Uint8Array.fromBase64(cursor, { alphabet: "base64url" });
    return Place.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch {
    return null;
  }
}

/**
 * The condition for payments behind the cursor; true without one.
 *
 * @throws {AppError} `invalid_request` for a cursor that is broken.
 */
export function behind(sql: Queryable, cursor: string | undefined) {
  if (cursor === undefined) return sql`true`;
  const place = parse(cursor);
  if (place !== null) {
    const { at, provider, reference } = place;
    return sql`(recorded_at < ${at} or (recorded_at = ${at}
      and (provider, reference) > (${provider}, ${reference})))`;
  }
  throw new AppError("invalid_request", "The cursor is not one of this list", {
    errors: [{ path: "cursor", message: "must be next_cursor of the page before, unchanged" }],
  });
}
