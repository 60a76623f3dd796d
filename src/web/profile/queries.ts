/**
 * What the profile shows beside what the API's use cases give.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import { readFailures, readUsage, type Usage } from "../../registry/usage/history.ts";
import type { Runs } from "../../scan/build_schema.ts";
import type { ScanStatus } from "../../scan/schema.ts";

/** A server in its owner's list. */
export interface OwnServer {
  name: string;
  version: string;
  lang: string;
  status: ScanStatus;
  issues: number;
  /** Findings of critical or high severity, and secrets. */
  severe: number;
  runs: Runs | null;
  runsReason: string | null;
  usage: Usage;
  /** Calls that failed in the days of {@link OwnServer.usage}. */
  failures: number;
}

/** The servers that `userId` owns, by name. */
export async function ownServers(sql: Sql, userId: string, now: Date): Promise<OwnServer[]> {
  const servers = await sql<Omit<OwnServer, "usage" | "failures">[]>`
    select name, version, lang, scan_status as status, total_issues as issues,
      critical_issues as severe, runs, runs_reason as "runsReason"
    from servers where owner = ${userId} order by name limit 1000`;
  const names = servers.map(({ name }) => name);
  const usage = await readUsage(sql, names, now);
  const failures = await readFailures(sql, names, now);
  return servers.map((server) => ({
    ...server,
    usage: usage.get(server.name)!,
    failures: failures.get(server.name) ?? 0,
  }));
}

/** Whether the user may still choose another username. */
export async function canRename(sql: Sql, userId: string): Promise<boolean> {
  const [row] = await sql`
    select 1 from users where subject = ${userId} and username_changed_at is null`;
  return row !== undefined;
}
