/**
 * What lists on pages show of a server beyond the registry's list form.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import type { ServerListed } from "../../registry/schema.ts";
import { readUsage, type Usage } from "../../registry/usage/history.ts";
import type { Reaches } from "../../scan/capabilities_schema.ts";
import type { ScanStatus } from "../../scan/schema.ts";

/** The registry's list form with verdict, times, icon and use. */
export interface ListedServer extends ServerListed {
  status: ScanStatus;
  updatedAt: Date;
  createdAt: Date;
  /** Digest of its icon; null where it has none. */
  icon: string | null;
  usage: Usage;
  /** Whether its author says that sessions need values from their user. */
  needsKeys: boolean;
  /** What its code reaches by itself. */
  reaches: Reaches[];
}

type Shown = Pick<
  ListedServer,
  "status" | "updatedAt" | "createdAt" | "icon" | "needsKeys" | "reaches"
>;

async function readShown(sql: Sql, names: readonly string[]): Promise<Map<string, Shown>> {
  const rows = await sql<({ name: string } & Shown)[]>`
    select name, scan_status as status, updated_at as "updatedAt", created_at as "createdAt",
      digest as icon, reaches,
      coalesce(configuration @? '$[*] ? (@.required == true)', false) as "needsKeys"
    from servers left join server_icons on server_icons.archive_sha256 = servers.archive_sha256
      and server_icons.folder = source ->> 'folder'
    where name in ${sql([...names])}`;
  return new Map(rows.map((row) => [row.name, row]));
}

/** Adds to each server what lists show; those that were removed meanwhile are left out. */
export async function withShown(
  sql: Sql,
  servers: readonly ServerListed[],
  now: Date,
): Promise<ListedServer[]> {
  if (servers.length === 0) return [];
  const names = [...new Set(servers.map(({ name }) => name))];
  const [shown, usage] = await Promise.all([readShown(sql, names), readUsage(sql, names, now)]);
  return servers.flatMap((server) => {
    const more = shown.get(server.name);
    return more === undefined ? [] : [{ ...server, ...more, usage: usage.get(server.name)! }];
  });
}
