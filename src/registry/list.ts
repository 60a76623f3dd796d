/**
 * Listing servers: filters, orders and pages.
 *
 * @module
 */
import type { Queryable, Sql } from "../database/client.ts";
import { decodeCursor, encodeCursor, type Place } from "./cursor.ts";
import type { RegistryDeps } from "./deps.ts";
import { authorKey } from "./namespaces.ts";
import { listedOf, type ListedRow } from "./record.ts";
import type { ListQuery, ServerListed } from "./schema.ts";
import { answers, parseQuestion, type Question, relevance } from "./search.ts";

/** A page of a list. */
export interface ServerPage {
  servers: ServerListed[];
  /** For `cursor` of the next page; null on the last. */
  nextCursor: string | null;
  /** How many records match, over all pages. */
  totalMatching: number;
}

function filters(sql: Queryable, query: ListQuery, question: Question | null) {
  const { author, lang, tool, license, max_price, scan_passed } = query;
  const conditions = [
    author === undefined ? null : sql`author_key = ${authorKey(author)}`,
    lang === undefined ? null : sql`lang = ${lang}`,
    tool === undefined ? null : sql`tools @> array[${tool}]`,
    license === undefined ? null : sql`license_keys @> array[${license.toLowerCase()}]`,
    max_price === undefined ? null : sql`price_amount <= ${max_price}`,
    scan_passed === undefined
      ? null
      : scan_passed
      ? sql`scan_status = 'passed'`
      : sql`scan_status <> 'passed'`,
    question === null ? null : answers(sql, question),
  ];
  return conditions.filter((condition) => condition !== null)
    .reduce((left, right) => sql`${left} and ${right}`, sql`true`);
}

/** The sort key of a row: milliseconds of a time, or a rank; the name decides between equals. */
function sortKey(sql: Queryable, sort: ListQuery["sort"], question: Question | null) {
  if (sort === "updated") return sql`updated_at`;
  if (sort === "created") return sql`created_at`;
  return sort === "relevance" && question !== null ? relevance(sql, question) : null;
}

function behind(sql: Queryable, key: ReturnType<typeof sortKey>, query: ListQuery, place: Place) {
  if (key === null) return sql`name > ${place.name}`;
  const value = query.sort === "relevance" ? place.key : new Date(place.key);
  return sql`(${key} < ${value} or ${key} = ${value} and name > ${place.name})`;
}

type PageRow = ListedRow & { sort_key: Date | number | null };

function placeOf(row: PageRow): Place {
  const { sort_key: key, name } = row;
  return { key: key instanceof Date ? key.getTime() : key ?? 0, name };
}

async function readPage(
  sql: Sql,
  query: ListQuery,
  question: Question | null,
  place: Place | null,
): Promise<PageRow[]> {
  const key = sortKey(sql, query.sort, question);
  // One more than asked for tells whether there is a next page.
  return await sql<PageRow[]>`
    select name, version, summary, author, lang, license, entrypoint, repository_type,
      repository_url, tools, price_currency, price_amount::float8 as price_amount, scan_status,
      total_issues, critical_issues, ${key ?? sql`null`} as sort_key
    from servers
    where ${filters(sql, query, question)}
      ${place === null ? sql`` : sql`and ${behind(sql, key, query, place)}`}
    order by ${key === null ? sql`` : sql`${key} desc,`} name
    limit ${query.limit + 1}`;
}

async function countMatching(sql: Sql, query: ListQuery, question: Question | null) {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from servers where ${filters(sql, query, question)}`;
  return row.count;
}

/**
 * A page of the servers that match.
 *
 * @throws {AppError} `invalid_request` for a cursor that is not of this list.
 */
export async function listServers(
  deps: Pick<RegistryDeps, "sql">,
  query: ListQuery,
): Promise<ServerPage> {
  const place = await decodeCursor(query);
  const question = parseQuestion(query.q);
  const [rows, totalMatching] = await Promise.all([
    readPage(deps.sql, query, question, place),
    countMatching(deps.sql, query, question),
  ]);
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const more = rows.length > query.limit && last !== undefined;
  return {
    servers: shown.map(listedOf),
    nextCursor: more ? await encodeCursor(query, placeOf(last)) : null,
    totalMatching,
  };
}
