/**
 * The statements behind a list of servers.
 *
 * @module
 */
import type { Queryable, Sql } from "../../database/client.ts";
import type { Place } from "./list_cursor.ts";
import { authorKey } from "../../names/namespaces.ts";
import { readable, type Viewer } from "../../access/rule.ts";
import type { ListedRow } from "./record.ts";
import { publisherColumn } from "../ownership/publisher.ts";
import type { ListQuery } from "../schema.ts";
import { answers, type Question, relevance } from "./search.ts";

/** A row of a list, with what its place in the list depends on. */
export type PageRow = ListedRow & { sort_key: Date | number | null };

/**
 * What is read for a page: one row more than it has tells that there is another one. Rows of a page
 * that leads back are in the order in which they were met: the list's order, backwards.
 */
export interface PageRows {
  rows: PageRow[];
  /** How many records match, over all pages. */
  total: number;
}

/** A list that is asked for, parsed. */
export interface Listing {
  query: ListQuery;
  question: Question | null;
  viewer: Viewer;
  /** Where the page begins or ends; null for the first. */
  place: Place | null;
}

function withCapability(sql: Queryable, capability: NonNullable<ListQuery["capability"]>) {
  return capability === "none"
    ? sql`capabilities = '{}'`
    : sql`capabilities @> array[${capability}]`;
}

/** What selects the records of a list, as a condition. */
export function filters(sql: Queryable, { query, question, viewer }: Omit<Listing, "place">) {
  const { author, lang, tool, license, capability, max_price, scan_passed } = query;
  const { category, tag, runs_here } = query;
  const conditions = [
    author === undefined ? null : sql`author_key = ${authorKey(author)}`,
    lang === undefined ? null : sql`lang = ${lang}`,
    tool === undefined ? null : sql`tools @> array[${tool}]`,
    license === undefined ? null : sql`license_keys @> array[${license.toLowerCase()}]`,
    capability === undefined ? null : withCapability(sql, capability),
    max_price === undefined ? null : sql`price_amount <= ${max_price}`,
    scan_passed === undefined ? null : sql`scan_passed = ${scan_passed}`,
    category === undefined ? null : sql`category = ${category}`,
    tag === undefined ? null : sql`tags @> array[${tag}]`,
    runs_here === undefined ? null : sql`(runs is not null and runs = 'yes') = ${runs_here}`,
    question === null ? null : answers(sql, question),
  ];
  return conditions.filter((condition) => condition !== null)
    .reduce((left, right) => sql`${left} and ${right}`, readable(sql, viewer));
}

/** What the list is sorted by, before the name; null for the name alone. */
function sortKey(sql: Queryable, { query, question }: Listing) {
  if (query.sort === "updated") return sql`updated_at`;
  if (query.sort === "created") return sql`created_at`;
  if (query.sort === "popular") return sql`calls`;
  return query.sort === "relevance" && question !== null ? relevance(sql, question) : null;
}

type Fragment = ReturnType<typeof filters>;

function behind(sql: Queryable, key: Fragment | null, { query, place }: Listing) {
  if (place === null) return sql`true`;
  const { name, back = false } = place;
  const nameBehind = back ? sql`name < ${name}` : sql`name > ${name}`;
  if (key === null) return nameBehind;
  const isTime = query.sort === "updated" || query.sort === "created";
  const value = isTime ? new Date(place.key) : place.key;
  const keyBehind = back ? sql`${key} > ${value}` : sql`${key} < ${value}`;
  return sql`(${keyBehind} or ${key} = ${value} and ${nameBehind})`;
}

function order(sql: Queryable, key: Fragment | null, { place }: Listing) {
  if (place?.back) return key === null ? sql`name desc` : sql`${key}, name desc`;
  return key === null ? sql`name` : sql`${key} desc, name`;
}

/** The select list that fills a `ListedRow`. */
export function listedColumns(sql: Queryable) {
  return sql`
    name, version, summary, author, lang, license, entrypoint, repository_type, repository_url,
    tools, price_currency, price_amount::float8 as price_amount, scan_status, total_issues,
    critical_issues, runs, runs_reason, capabilities, category, tags,
    visibility, ${publisherColumn(sql)}`;
}

/** The page from an index in its order, the total from an index alone. */
async function readInOrder(sql: Sql, listing: Listing): Promise<PageRows> {
  const key = sortKey(sql, listing);
  const where = filters(sql, listing);
  const [rows, [count]] = await Promise.all([
    sql<PageRow[]>`
      select ${listedColumns(sql)}, ${key ?? sql`null`} as sort_key
      from servers where ${where} and ${behind(sql, key, listing)}
      order by ${order(sql, key, listing)} limit ${listing.query.limit + 1}`,
    sql<[{ total: number }]>`select count(*)::int as total from servers where ${where}`,
  ]);
  return { rows, total: count.total };
}

/**
 * Everything that matches first, then the page of it. For filters whose indexes know no order:
 * what matches has to be found for the total anyway, and an index in the list's order could lead
 * through the whole table before a page is full.
 */
async function readMatching(sql: Sql, listing: Listing): Promise<PageRows> {
  const key = sortKey(sql, listing);
  const sorted = key === null ? null : sql`sort_key`;
  const found = await sql<((PageRow | { name: null }) & { total: number })[]>`
    with matching as materialized (
      select name, ${key ?? sql`null`} as sort_key from servers where ${filters(sql, listing)}
    ), page as (
      select name, sort_key from matching where ${behind(sql, sorted, listing)}
      order by ${order(sql, sorted, listing)} limit ${listing.query.limit + 1}
    )
    select shown.*, total
    from (select count(*)::int as total from matching) counted
    left join (
      select ${listedColumns(sql)}, sort_key from page join servers using (name)
    ) shown on true
    order by ${order(sql, sorted, listing)}`;
  const rows = found.filter((row) => row.name !== null);
  return { rows, total: found[0]!.total };
}

/** Reads a page and the total. */
export async function readListing(sql: Sql, listing: Listing): Promise<PageRows> {
  const { query: { tool, tag, license, capability = "none" }, question } = listing;
  const unordered = question !== null || capability !== "none" ||
    [tool, tag, license].some((one) => one !== undefined);
  return unordered ? await readMatching(sql, listing) : await readInOrder(sql, listing);
}
