/**
 * Topics of records that were stored before there were any.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import { proposeTopics } from "./propose.ts";

const BATCH = 500;

/** Proposes a category and tags for each record that has none. */
export async function fillTopics(sql: Sql): Promise<void> {
  for (;;) {
    const missing = await sql<{ name: string; tools: string[]; description: string }[]>`
      select name, tools, description from servers where category is null
      order by name limit ${BATCH}`;
    if (missing.length === 0) return;
    const rows = missing.map((server) => ({ name: server.name, ...proposeTopics(server) }));
    await sql`
      update servers set category = proposed.category, tags = proposed.tags
      from jsonb_to_recordset(${sql.json(rows)}) as proposed (name text, category text, tags text[])
      where servers.name = proposed.name and servers.category is null`;
  }
}
