/**
 * Servers that belong beside another one: of its author, for the same purpose, or with tools of the
 * same names.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import { authorKey } from "../../names/namespaces.ts";
import { readable, type Viewer } from "../../access/rule.ts";
import type { ScanStatus } from "../../scan/schema.ts";
import type { Category } from "../topics/categories.ts";

/** A server beside another one. */
export interface RelatedServer {
  name: string;
  summary: string;
  status: ScanStatus;
  sameAuthor: boolean;
  sameCategory: boolean;
  /** How many tools of the same name both have. */
  sharedTools: number;
}

/** Tools that are compared, and servers that are looked at: some names of tools are everywhere. */
const TOOLS_MAX = 50;
const CANDIDATES = 200;

/** The server beside which the others stand. */
export interface RelatedTo {
  name: string;
  author: string;
  category: Category;
  tools: readonly string[];
}

/**
 * At most `limit` servers that `viewer` may read: those with most tools in common first, then those of the same author,
 * then the most used ones of the same category ("other" is none).
 */
export async function relatedServers(
  sql: Sql,
  { name, author, category, tools }: RelatedTo,
  viewer: Viewer,
  limit: number,
): Promise<RelatedServer[]> {
  const key = authorKey(author);
  const compared = tools.slice(0, TOOLS_MAX);
  const purpose = category === "other" ? null : category;
  return await sql<RelatedServer[]>`
    with found as (
      (select name, summary, author_key, tools, scan_status, category, calls
        from servers
        where author_key = ${key} and name <> ${name} and ${
    readable(sql, viewer)
  } order by name limit ${CANDIDATES})
      union
      (select name, summary, author_key, tools, scan_status, category, calls
        from servers
        where tools && ${compared}::text[] and name <> ${name} and ${readable(sql, viewer)}
        limit ${CANDIDATES})
      union
      (select name, summary, author_key, tools, scan_status, category, calls
        from servers
        where category = ${purpose} and name <> ${name} and ${readable(sql, viewer)}
        order by calls desc, name limit ${limit})
    )
    select found.name, summary, scan_status as status, author_key = ${key} as "sameAuthor",
      coalesce(category = ${purpose}, false) as "sameCategory", shared.count as "sharedTools"
    from found, lateral (
      select count(*)::int from unnest(found.tools) as tool where tool = any(${compared}::text[])
    ) shared
    order by shared.count desc, "sameAuthor" desc, calls desc, name limit ${limit}`;
}
