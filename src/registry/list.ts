/**
 * Listing servers: filters, orders and pages.
 *
 * @module
 */
import { decodeCursor, encodeCursor, type Place } from "./cursor.ts";
import type { RegistryDeps } from "./deps.ts";
import { type PageRow, readListing } from "./list_sql.ts";
import { listedOf } from "./record.ts";
import type { ListQuery, ServerListed } from "./schema.ts";
import { parseQuestion } from "./search.ts";

/** A page of a list. */
export interface ServerPage {
  servers: ServerListed[];
  /** For `cursor` of the next page; null on the last. */
  nextCursor: string | null;
  /** How many records match, over all pages. */
  totalMatching: number;
}

/** A time as its milliseconds, a rank as it is. */
function placeOf({ sort_key: key, name }: PageRow): Place {
  return { key: key instanceof Date ? key.getTime() : key ?? 0, name };
}

/**
 * A page of the servers that match.
 *
 * @throws {AppError} `invalid_request` for a cursor that is not of this list, and for a question of
 * too many words.
 */
export async function listServers(
  deps: Pick<RegistryDeps, "sql">,
  query: ListQuery,
): Promise<ServerPage> {
  const place = await decodeCursor(query);
  const question = parseQuestion(query.q);
  const { rows, total } = await readListing(deps.sql, { query, question, place });
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const more = rows.length > query.limit && last !== undefined;
  return {
    servers: shown.map(listedOf),
    nextCursor: more ? await encodeCursor(query, placeOf(last)) : null,
    totalMatching: total,
  };
}
