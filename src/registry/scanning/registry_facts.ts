/**
 * What a scan is told of the registry's content.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";
import type { RegistryFacts } from "../../scan/registry_checks.ts";
import { readable } from "../../access/rule.ts";
import { findServer } from "../servers/store.ts";

/** Servers of others that a scan is held against: those that every reader of its report may read. */
const MAX_OTHERS = 20_000;

/** The facts for a scan of `server` in `version`, which `owner` has. */
export async function registryFacts(
  sql: Queryable,
  server: string,
  version: string,
): Promise<RegistryFacts> {
  const stored = await findServer(sql, server);
  // Of the same owner, or of whoever begins the scan that creates the record.
  const owner = stored?.row.owner ?? null;
  const others = await sql<{ name: string; tools: string[] }[]>`
    select name, tools from servers
    where name <> ${server} and ${
    readable(sql, null)
  } and owner is distinct from coalesce(${owner}::text, (
      select owner from scans where server = ${server} and state = 'running' limit 1))
    order by created_at, name limit ${MAX_OTHERS}`;
  return {
    version,
    previous: stored === null ? null : {
      version: stored.row.version,
      tools: stored.report.tool_discovery.found,
    },
    others,
  };
}
