/**
 * What the profile shows beside what the API's use cases give.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import type { ScanStatus } from "../../scan/schema.ts";

/** A server in its owner's list. */
export interface OwnServer {
  name: string;
  version: string;
  status: ScanStatus;
  issues: number;
  updatedAt: Date;
}

/** The servers that `userId` owns, by name. */
export async function ownServers(sql: Sql, userId: string): Promise<OwnServer[]> {
  return await sql<OwnServer[]>`
    select name, version, scan_status as status, total_issues as issues, updated_at as "updatedAt"
    from servers where owner = ${userId} order by name limit 1000`;
}

/** Whether the user may still choose another username. */
export async function canRename(sql: Sql, userId: string): Promise<boolean> {
  const [row] = await sql`
    select 1 from users where subject = ${userId} and username_changed_at is null`;
  return row !== undefined;
}
