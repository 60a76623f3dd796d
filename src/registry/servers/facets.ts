/**
 * How the servers of a list divide by category, license and author.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import { readable, type Viewer } from "../../access/rule.ts";
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

/** Licenses and authors that are named. */
const VALUES = 8;
/** Lists whose facets are kept, and for how long: who joins a group reads more after that. */
const KEPT = 200;
const KEPT_MS = 60_000;

/** What each facet counts, and how many of its most frequent groups are read. */
const GROUPS = {
  categories: { column: "category", limit: 1000 },
  licenses: { column: "license", limit: 1000 },
  authors: { column: "author_key", limit: VALUES },
} as const;
type Facet = keyof typeof GROUPS;

/** What is counted: the servers of a list that its viewer may read. */
export interface ListAsked {
  query: ListQuery;
  viewer: Viewer;
}

interface Group extends FacetValue {
  facet: Facet;
}

/** The groups of one facet, the most frequent first. An author is named as one of the servers does. */
function mostOf(sql: Sql, facet: Facet, viewer: Viewer) {
  const column = sql(GROUPS[facet].column);
  const value = facet === "authors"
    ? sql`(select author from servers where servers.author_key = most.author_key and ${
      readable(sql, viewer)
    }
           order by name limit 1)`
    : column;
  return sql`
    (select ${facet} as facet, ${value} as value, count from (
       select ${column}, count from counted where ${column} is not null
       order by count desc, ${column} limit ${GROUPS[facet].limit}
     ) most order by count desc, ${column})`;
}

/**
 * Counts several facets of the servers that match, which are gone through once. A group has one of the
 * columns, its others are null.
 */
async function countGroups(
  sql: Sql,
  { query, viewer }: ListAsked,
  facets: readonly Facet[],
): Promise<Group[]> {
  if (facets.length === 0) return [];
  const columns = facets.map((facet) => GROUPS[facet].column);
  const sets = columns.map((column) => sql`(${sql(column)})`)
    .reduce((left, right) => sql`${left}, ${right}`);
  const most = facets.map((facet) => mostOf(sql, facet, viewer))
    .reduce((left, right) => sql`${left} union all ${right}`);
  return await sql<Group[]>`
    with counted as materialized (
      select ${sql(columns)}, count(*)::int as count from servers
      where ${filters(sql, { query, question: parseQuestion(query.q), viewer })}
      group by grouping sets (${sets})
    ) ${most}`;
}

/** A license that is part of an expression counts there too, as its filter finds it. */
function singleLicenses(expressions: readonly Group[]): FacetValue[] {
  const counts = new Map<string, FacetValue>();
  for (const { value: expression, count } of expressions) {
    for (const value of new Set(licensesOf(expression))) {
      const known = counts.get(value.toLowerCase()) ?? { value, count: 0 };
      counts.set(value.toLowerCase(), { ...known, count: known.count + count });
    }
  }
  const most = [...counts.values()].toSorted((a, b) =>
    b.count - a.count || (a.value < b.value ? -1 : 1)
  );
  return most.slice(0, VALUES);
}

/**
 * The facets of a list, each without its own filter.
 *
 * @throws {AppError} `invalid_request` for a question of too many words.
 */
export async function readFacets(sql: Sql, { query, viewer }: ListAsked): Promise<Facets> {
  const { category, license, author, ...others } = query;
  const own = { categories: category, licenses: license, authors: author };
  const facets = Object.keys(own) as Facet[];
  const filtered = facets.filter((facet) => own[facet] !== undefined);
  const counted = await Promise.all([
    countGroups(sql, { query, viewer }, facets.filter((facet) => own[facet] === undefined)),
    ...filtered.map((facet) =>
      countGroups(sql, {
        query: {
          ...others,
          ...(facet === "categories" ? {} : { category }),
          ...(facet === "licenses" ? {} : { license }),
          ...(facet === "authors" ? {} : { author }),
        },
        viewer,
      }, [facet])
    ),
  ]);
  const of = (wanted: Facet) => counted.flat().filter(({ facet }) => facet === wanted);
  const plain = (groups: Group[]) => groups.map(({ value, count }) => ({ value, count }));
  return {
    categories: plain(of("categories")),
    licenses: singleLicenses(of("licenses")),
    authors: plain(of("authors")),
  };
}

/** Reads the facets of a list. */
export type FacetReader = (asked: ListAsked) => Promise<Facets>;

/**
 * A reader that counts again only when the registry has changed since: counting goes through all
 * that match.
 */
export function createFacetReader(sql: Sql): FacetReader {
  const kept = new Map<string, { at: number; mark: string; facets: Promise<Facets> }>();
  return async ({ query, viewer }) => {
    const { cursor: _cursor, limit: _limit, sort: _sort, ...list } = query;
    const key = JSON.stringify([viewer?.userId ?? null, viewer?.isAdmin ?? false, list]);
    const [row] = await sql<{ mark: string }[]>`select mark from catalogue`;
    const mark = row?.mark ?? "";
    const at = performance.now();
    const known = kept.get(key);
    if (known?.mark === mark && at - known.at < KEPT_MS) return await known.facets;
    const facets = readFacets(sql, { query, viewer });
    kept.delete(key);
    kept.set(key, { at, mark, facets });
    facets.catch(() => kept.delete(key));
    if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
    return await facets;
  };
}
