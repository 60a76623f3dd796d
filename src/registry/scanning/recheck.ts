/**
 * Holding records against the advisories again: once a day the dependencies of the stored bytes are
 * checked, and a record to which other advisories apply than its report says is scanned again.
 *
 * @module
 */
import type { DependencyAudit } from "../../scan/schema.ts";
import { isPackageNote } from "../../scan/stages/package_notes.ts";
import type { RegistryDeps } from "../deps.ts";
import type { ServerRow } from "../servers/record.ts";
import { beginSystemScan, runStored, storedRepository } from "./rescan.ts";
import { findRow, findServer } from "../servers/store.ts";

const HOUR_MS = 3_600_000;
/** A record is checked this long after its last scan or check. */
const EVERY_MS = 24 * HOUR_MS;
/** How long after the advisories were unavailable a record is tried again. */
const AGAIN_MS = HOUR_MS;

/** The next record that is due and that no other node is taking; its next check is a day away. */
async function takeDue(deps: RegistryDeps): Promise<ServerRow | null> {
  const now = deps.now();
  return await deps.sql.begin(async (tx) => {
    const [due] = await tx<{ name: string }[]>`
      select name from servers
      where advisories_checked_at <= ${new Date(now.getTime() - EVERY_MS)} and retry_at is null
        and not exists (
          select 1 from scans s where s.server = servers.name and s.state = 'running')
      order by advisories_checked_at limit 1 for update skip locked`;
    if (due === undefined) return null;
    await tx`update servers set advisories_checked_at = ${now} where name = ${due.name}`;
    return await findRow(tx, due.name);
  });
}

/** What a report says of advisories, whatever the order. Packages grow older between scans. */
function said({ issues }: Pick<DependencyAudit, "issues">): string {
  const ofAdvisories = issues.filter((issue) => !isPackageNote(issue));
  return ofAdvisories.map(({ fingerprint, severity }) => `${fingerprint} ${severity}`).sort()
    .join();
}

/** Whether other advisories apply now than the record's report says; null when that is not known. */
async function hasChanged(deps: RegistryDeps, row: ServerRow): Promise<boolean | null> {
  const stored = await findServer(deps.sql, row.name);
  // Its stage 3 did not finish: advisories are not what it lacks.
  if (stored === null || stored.report.dependency_audit.error !== null) return false;
  const now = await deps.checkDependencies({
    repository: await storedRepository(deps, row),
    lang: row.lang,
    entrypoint: row.entrypoint,
    tools: null,
    serverName: row.name,
    packages: stored.report.packages,
  }, deps.jobs.signal);
  if (now.error !== null) return now.error.code === "unavailable" ? null : false;
  return said(now) !== said(stored.report.dependency_audit);
}

/**
 * Checks the records that are due, one after the other, until the advisories are unavailable. Any
 * number of nodes may do so at once.
 *
 * @returns The names of the records that were scanned again.
 */
export async function recheckAdvisories(deps: RegistryDeps): Promise<string[]> {
  const scanned: string[] = [];
  while (!deps.jobs.signal.aborted) {
    const row = await takeDue(deps);
    if (row === null) break;
    const changed = await hasChanged(deps, row);
    if (changed === null) {
      const later = new Date(deps.now().getTime() - EVERY_MS + AGAIN_MS);
      await deps.sql`
        update servers set advisories_checked_at = ${later} where name = ${row.name}`;
      break;
    }
    if (!changed) continue;
    deps.log.info("scan.advisories_changed", { server: row.name });
    const rescan = await beginSystemScan(deps, row, "advisories");
    await runStored(deps, rescan).done;
    scanned.push(row.name);
  }
  return scanned;
}
