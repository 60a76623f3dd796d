/**
 * What rows of the list show beyond the registry's list form.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import type { ServerListed } from "../../registry/schema.ts";
import type { ScanStatus } from "../../scan/schema.ts";

export interface ListedServer extends ServerListed {
  status: ScanStatus;
  updatedAt: Date;
}

/** Adds the verdict and the time of the last change. */
export async function withStatuses(
  sql: Sql,
  servers: readonly ServerListed[],
): Promise<ListedServer[]> {
  if (servers.length === 0) return [];
  const rows = await sql<{ name: string; status: ScanStatus; at: Date }[]>`
    select name, scan_status as status, updated_at as at from servers
    where name in ${sql(servers.map(({ name }) => name))}`;
  const known = new Map(rows.map((row) => [row.name, row]));
  return servers.flatMap((server) => {
    // Removed since: then it is not shown either.
    const row = known.get(server.name);
    return row === undefined ? [] : [{ ...server, status: row.status, updatedAt: row.at }];
  });
}
