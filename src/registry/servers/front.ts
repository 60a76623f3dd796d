/**
 * What the front page shows of the whole registry.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import type { ServerListed } from "../schema.ts";
import { CATEGORIES, type Category } from "../topics/categories.ts";
import { readable, type Viewer } from "../../access/rule.ts";
import { listedColumns } from "./list_sql.ts";
import { listedOf, type ListedRow } from "./record.ts";

/** The sections of servers, each with the column that it is ordered by. */
const SECTIONS = { popular: "calls", created: "created_at", updated: "updated_at" } as const;
type Section = keyof typeof SECTIONS;

/** Servers of a section. */
const SHOWN: Record<Section, number> = { popular: 9, created: 6, updated: 6 };

/** The registry at a glance; its sections are of servers whose scan passed. */
export interface Front extends Record<Section, ServerListed[]> {
  /** How many servers there are. */
  total: number;
  /** Categories with servers, in their fixed order. */
  categories: { category: Category; count: number }[];
}

function readSection(sql: Sql, section: Section, viewer: Viewer) {
  return sql`
    (select ${section} as section, ${listedColumns(sql)} from servers
     where scan_passed and ${readable(sql, viewer)}
     order by ${sql(SECTIONS[section])} desc, name limit ${SHOWN[section]})`;
}

async function readCategories(sql: Sql, viewer: Viewer): Promise<Front["categories"]> {
  const rows = await sql<{ category: Category | null; count: number }[]>`
    select category, count(*)::int as count from servers
    where ${readable(sql, viewer)} group by category`;
  const counts = new Map<Category, number>();
  for (const { category, count } of rows) {
    const known = category ?? "other";
    counts.set(known, (counts.get(known) ?? 0) + count);
  }
  return CATEGORIES.filter((category) => counts.has(category))
    .map((category) => ({ category, count: counts.get(category)! }));
}

/** Reads what the front page shows `viewer`. Sections end alike whatever the number of servers. */
export async function readFront(sql: Sql, viewer: Viewer): Promise<Front> {
  const [rows, categories] = await Promise.all([
    sql<(ListedRow & { section: Section })[]>`
      ${readSection(sql, "popular", viewer)} union all
      ${readSection(sql, "created", viewer)} union all ${readSection(sql, "updated", viewer)}`,
    readCategories(sql, viewer),
  ]);
  const of = (section: Section) => rows.filter((row) => row.section === section).map(listedOf);
  return {
    popular: of("popular"),
    created: of("created"),
    updated: of("updated"),
    categories,
    total: categories.reduce((sum, { count }) => sum + count, 0),
  };
}
