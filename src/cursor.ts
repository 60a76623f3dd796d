/**
 * Cursors of lists: the place where a page ends, as a text that clients hand back unread.
 *
 * @module
 */
import type { z } from "zod";
import { invalidCursor } from "./errors.ts";

/** The cursor of the page behind `place`, which JSON can hold. */
export function encodeCursor(place: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(place));
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

function parse<Place>(schema: z.ZodType<Place>, cursor: string): Place | null {
  try {
    const bytes = Uint8Array.fromBase64(cursor, { alphabet: "base64url" });
    return schema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch {
    return null;
  }
}

/**
 * The place that `cursor` names; null without one.
 *
 * @param schema What places of this list look like: clients may send anything.
 * @param options `isOfList`: whether the place is one of this very list, with its filters; `wanted`
 * says what the cursor must be.
 * @throws {AppError} `invalid_request` for a cursor that is broken or of another list.
 */
export function decodeCursor<Place>(
  schema: z.ZodType<Place>,
  cursor: string | undefined,
  options: { isOfList?: (place: Place) => boolean; wanted?: string } = {},
): Place | null {
  if (cursor === undefined) return null;
  const {
    isOfList = () => true,
    wanted = "must be the next_cursor of the previous page, unchanged",
  } = options;
  const place = parse(schema, cursor);
  if (place !== null && isOfList(place)) return place;
  throw invalidCursor(wanted);
}

/** A digest of what selects the entries of a list; pages of one list have the same. */
export async function filterDigest(filters: Record<string, unknown>): Promise<string> {
  const text = JSON.stringify(Object.entries(filters).sort(([a], [b]) => a < b ? -1 : 1));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex().slice(0, 12);
}
