/**
 * Cursors of lists: where a page ends or begins, in the order of that list. A page begins behind the
 * last record of the one before, and one that leads back ends before the first record of the one
 * after, wherever that record is by now, so that records which come and go between two pages make
 * none appear twice or be skipped.
 *
 * @module
 */
import { z } from "zod";
import { AppError } from "../../errors.ts";
import { type ListQuery, NAME_PATTERN, SORTS } from "../schema.ts";

/** The place of a record in a list. */
export interface Place {
  /** Value of the sort column; unused when the list is sorted by name. */
  key: string | number;
  name: string;
  /** The page is the one before this place, not the one behind it. */
  back?: boolean;
}

/** Milliseconds of the times that a `Date` can hold. */
const MAX_TIME = 8.64e15;

const Cursor = z.strictObject({
  sort: z.enum(SORTS),
  filter: z.string(),
  key: z.union([z.string().max(64), z.number()]),
  name: z.string().max(64).regex(NAME_PATTERN),
  back: z.boolean().default(false),
}).refine(({ sort, key }) => {
  if (sort === "name") return true;
  return typeof key === "number" && Number.isFinite(key) && Math.abs(key) <= MAX_TIME;
});

/** A digest of what selects the records of a list; pages of one list have the same. */
async function filterDigest(query: ListQuery): Promise<string> {
  const { cursor: _cursor, limit: _limit, sort: _sort, ...filters } = query;
  const text = JSON.stringify(Object.entries(filters).sort(([a], [b]) => a < b ? -1 : 1));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex().slice(0, 12);
}

/** The cursor of the page behind `place`, or before it. */
export async function encodeCursor(query: ListQuery, place: Place): Promise<string> {
  const filter = await filterDigest(query);
  const text = JSON.stringify({ sort: query.sort, filter, ...place });
  return new TextEncoder().encode(text).toBase64({ alphabet: "base64url", omitPadding: true });
}

function parse(cursor: string): z.infer<typeof Cursor> | null {
  try {
    const bytes = Uint8Array.fromBase64(cursor, { alphabet: "base64url" });
    const parsed = Cursor.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/**
 * The place that the query's cursor names; null without one.
 *
 * @throws {AppError} `invalid_request` for a cursor that is broken or of another list.
 */
export async function decodeCursor(query: ListQuery): Promise<Place | null> {
  if (query.cursor === undefined) return null;
  const cursor = parse(query.cursor);
  const fits = cursor !== null && cursor.sort === query.sort &&
    cursor.filter === await filterDigest(query);
  if (fits) return { key: cursor.key, name: cursor.name, back: cursor.back };
  throw new AppError("invalid_request", "The cursor is not one of this list", {
    errors: [{
      path: "cursor",
      message: "must be next_cursor or previous_cursor of a page of this list",
    }],
  });
}
