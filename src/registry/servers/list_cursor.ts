/**
 * Cursors of lists: where a page ends or begins, in the order of that list. A page begins behind the
 * last record of the one before, and one that leads back ends before the first record of the one
 * after, wherever that record is by now, so that records which come and go between two pages make
 * none appear twice or be skipped.
 *
 * @module
 */
import { z } from "zod";
import { decodeCursor, encodeCursor, filterDigest } from "../../cursor.ts";
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

/** What selects the records of a list. */
async function filterOf(query: ListQuery): Promise<string> {
  const { cursor: _cursor, limit: _limit, sort: _sort, ...filters } = query;
  return await filterDigest(filters);
}

/** The cursor of the page behind `place`, or before it. */
export async function cursorOf(query: ListQuery, place: Place): Promise<string> {
  return encodeCursor({ sort: query.sort, filter: await filterOf(query), ...place });
}

/**
 * The place that the query's cursor names; null without one.
 *
 * @throws {AppError} `invalid_request` for a cursor that is broken or of another list.
 */
export async function placeIn(query: ListQuery): Promise<Place | null> {
  if (query.cursor === undefined) return null;
  const filter = await filterOf(query);
  const found = decodeCursor(Cursor, query.cursor, {
    isOfList: (place) => place.sort === query.sort && place.filter === filter,
    wanted: "must be the next_cursor or previous_cursor of a page of this list",
  })!;
  return { key: found.key, name: found.name, back: found.back };
}
