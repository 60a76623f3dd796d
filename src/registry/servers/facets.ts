/**
 * How the servers of a list divide by category, license and author.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import { filters } from "./list_sql.ts";
import { licensesOf } from "./record.ts";
import type { ListQuery } from "../schema.ts";
import { parseQuestion } from "./search.ts";

/** A value that the list can be filtered by. */
export interface FacetValue {
  value: string;
  /** Servers that the list would have with this value in place of the present one. */
  count: number;
}

/** The most frequent values of a list, the most frequent first. */
export interface Facets {
  categories: FacetValue[];
  licenses: FacetValue[];
  authors: FacetValue[];
}

/** Values of a facet, and the most frequent expressions that they are counted from. */
const VALUES = 8;
const EXPRESSIONS = 1000;
/** Lists whose facets are kept, and for how long: removed servers leave no trace to look for. */
const KEPT = 200;
const KEPT_MS = 60_000;

function conditionOf(sql: Sql, query: ListQuery) {
  return filters(sql, { query, question: parseQuestion(query.q) });
}

/**
 * A license that is part of an expression counts there too, as its filter finds it. Expressions are
 * counted as they are, which an index answers alone, and taken apart here.
 */
async function readLicenses(sql: Sql, { license: _own, ...query }: ListQuery) {
  const expressions = await sql<{ license: string; count: number }[]>`
    select license, count(*)::int as count from servers where ${conditionOf(sql, query)}
    group by license order by count desc, license limit ${EXPRESSIONS}`;
  const counts = new Map<string, FacetValue>();
  for (const { license, count } of expressions) {
    for (const value of new Set(licensesOf(license))) {
      const known = counts.get(value.toLowerCase()) ?? { value, count: 0 };
      counts.set(value.toLowerCase(), { ...known, count: known.count + count });
    }
  }
  const most = [...counts.values()].toSorted((a, b) =>
    b.count - a.count || (a.value < b.value ? -1 : 1)
  );
  return most.slice(0, VALUES);
}

async function readAuthors(sql: Sql, { author: _own, ...query }: ListQuery) {
  return [
    ...await sql<FacetValue[]>`
      select (
        select author from servers where servers.author_key = most.author_key order by name limit 1
      ) as value, count
      from (
        select author_key, count(*)::int as count from servers where ${conditionOf(sql, query)}
        group by author_key order by count desc, author_key limit ${VALUES}
      ) most order by count desc, author_key`,
  ];
}

async function readCategories(sql: Sql, { category: _own, ...query }: ListQuery) {
  return [
    ...await sql<FacetValue[]>`
      select category as value, count(*)::int as count from servers
      where ${conditionOf(sql, query)} and category is not null
      group by category order by count desc, category`,
  ];
}

/**
 * The facets of the list that `query` asks for, each without its own filter.
 *
 * @throws {AppError} `invalid_request` for a question of too many words.
 */
export async function readFacets(sql: Sql, query: ListQuery): Promise<Facets> {
  const [categories, licenses, authors] = await Promise.all([
    readCategories(sql, query),
    readLicenses(sql, query),
    readAuthors(sql, query),
  ]);
  return { categories, licenses, authors };
}

/** Facets of a list of `total` servers. */
export type FacetReader = (query: ListQuery, total: number) => Promise<Facets>;

/**
 * A reader that counts again only when the registry has changed since: counting goes through all
 * that match.
 */
export function createFacetReader(sql: Sql): FacetReader {
  const kept = new Map<string, { at: number; version: string; facets: Promise<Facets> }>();
  return async (query, total) => {
    const { cursor: _cursor, limit: _limit, sort: _sort, ...list } = query;
    const key = JSON.stringify(list);
    const [row] = await sql<[{ latest: Date | null }]>`
      select max(updated_at) as latest from servers`;
    const version = `${row.latest?.getTime()} ${total}`;
    const at = performance.now();
    const known = kept.get(key);
    if (known?.version === version && at - known.at < KEPT_MS) return await known.facets;
    const facets = readFacets(sql, query);
    kept.delete(key);
    kept.set(key, { at, version, facets });
    facets.catch(() => kept.delete(key));
    if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
    return await facets;
  };
}
