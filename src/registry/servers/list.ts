/**
 * Listing servers: filters, orders and pages.
 *
 * @module
 */
import { cursorOf, type Place, placeIn } from "./list_cursor.ts";
import type { RegistryDeps } from "../deps.ts";
import { type PageRow, readListing } from "./list_sql.ts";
import type { Viewer } from "../../access/rule.ts";
import { listedOf } from "./record.ts";
import type { ListQuery, ServerListed } from "../schema.ts";
import { parseQuestion } from "./search.ts";

export interface ServerPage {
  servers: ServerListed[];
  /** For `cursor` of the next page; null on the last. */
  nextCursor: string | null;
  /** For `cursor` of the page before; null on the first. */
  previousCursor: string | null;
  /** How many records match, over all pages. */
  totalMatching: number;
}

/** A time as its milliseconds, a rank as it is. */
function placeOf({ sort_key: key, name }: PageRow): Place {
  return { key: key instanceof Date ? key.getTime() : key ?? 0, name };
}

/**
 * A page of the servers that match, of those that `viewer` may read. One that leads back and comes to the beginning is the first
 * page, whole.
 *
 * @throws {AppError} `invalid_request` for a cursor that is not of this list, and for a question of
 * too many words.
 */
export async function listServers(
  deps: Pick<RegistryDeps, "sql">,
  query: ListQuery,
  viewer: Viewer,
): Promise<ServerPage> {
  const place = await placeIn(query);
  const question = parseQuestion(query.q);
  const { rows, total } = await readListing(deps.sql, { query, question, viewer, place });
  const more = rows.length > query.limit;
  if (place?.back && !more) return await listServers(deps, { ...query, cursor: undefined }, viewer);
  const shown = place?.back ? rows.slice(0, query.limit).toReversed() : rows.slice(0, query.limit);
  const [first, last] = [shown[0], shown.at(-1)];
  const hasNext = place?.back === true || more;
  return {
    servers: shown.map(listedOf),
    nextCursor: hasNext && last !== undefined ? await cursorOf(query, placeOf(last)) : null,
    previousCursor: place !== null && first !== undefined
      ? await cursorOf(query, { ...placeOf(first), back: true })
      : null,
    totalMatching: total,
  };
}
