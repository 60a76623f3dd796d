/**
 * Builds that were not tried with their scan: on a registry node, which runs no servers, or while a
 * node was full. Any node that runs servers takes them, one after the other, from the stored bytes.
 *
 * @module
 */
import type { Sql, Transaction } from "../../database/client.ts";
import type { Logger } from "../../log.ts";
import { readArchive } from "../../repository/archive.ts";
import { loadArchive } from "../../repository/archives.ts";
import type { ArchiveObjects } from "../../repository/objects.ts";
import { markedPending, withBuild } from "../../scan/build.ts";
import type { SecurityReport } from "../../scan/schema.ts";
import type { BuildOutcome, BuildServer } from "../deps.ts";
import { fieldsOf, type ServerRow } from "../servers/record.ts";
import { changeServer, findRow, findServer, putBuild } from "../servers/store.ts";
import { storable } from "../servers/stored_text.ts";
import { foundTools } from "./scan_repository.ts";

/** Channel on which nodes hear that there is something to build. */
export const BUILD_CHANNEL = "berth_build_wanted";

/** After so long a node that took a build counts as lost; a build takes a fraction of it. */
const LEASE_MS = 5 * 60_000;
/** How long after it could not be tried a server is tried again. */
const AGAIN_MS = 60_000;

/** What it takes to build what is due. */
export interface BuildDeps {
  sql: Sql;
  log: Logger;
  now: () => Date;
  build: BuildServer;
  /** Where archives are that are not in the database; null or absent: nowhere. */
  objects?: ArchiveObjects | null;
}

/** A server that this node builds. */
interface Taken {
  row: ServerRow;
  /** Until then it is this node's; who finds another time there has lost it. */
  until: Date;
}

/** The next server that is due and that no other node is taking. */
async function takeDue({ sql, now }: BuildDeps): Promise<Taken | null> {
  return await sql.begin(async (tx) => {
    const [due] = await tx<{ name: string }[]>`
      select name from servers where build_at <= ${now()}
      order by build_at limit 1 for update skip locked`;
    if (due === undefined) return null;
    const until = new Date(now().getTime() + LEASE_MS);
    await tx`update servers set build_at = ${until} where name = ${due.name}`;
    return { row: (await findRow(tx, due.name))!, until };
  });
}

/** Runs `change` if the server is still this node's. */
async function ifHeld(
  { sql }: BuildDeps,
  { row, until }: Taken,
  change: (tx: Transaction, now: ServerRow) => Promise<void>,
): Promise<void> {
  await sql.begin(async (tx) => {
    const [held] = await tx`
      select 1 from servers where name = ${row.name} and build_at = ${until}
        and archive_sha256 = ${row.archive_sha256} for update`;
    if (held !== undefined) await change(tx, (await findRow(tx, row.name))!);
  });
}

/** Writes what the build says into the report of the record and of its scan. */
async function record(deps: BuildDeps, taken: Taken, outcome: BuildOutcome): Promise<void> {
  const complete = (report: SecurityReport) => storable(withBuild(report, markedPending(outcome)));
  const buildAt = outcome.again ? new Date(deps.now().getTime() + AGAIN_MS) : null;
  await ifHeld(deps, taken, async (tx, row) => {
    const stored = await findServer(tx, row.name);
    const report = complete(stored!.report);
    const fields = fieldsOf(row);
    const tools = row.tools_discovered ? foundTools(report) : fields.tools;
    await changeServer(tx, row.name, { fields: { ...fields, tools } });
    await putBuild(tx, row.name, { report, complete, buildAt });
  });
}

async function buildOne(deps: BuildDeps, taken: Taken, signal: AbortSignal): Promise<void> {
  const { name: server, lang, entrypoint, scan_status, archive_sha256, source } = taken.row;
  const stored = await findServer(deps.sql, server);
  const archive = await loadArchive(deps.sql, archive_sha256, deps.objects);
  if (stored === null || archive === null) return;
  const request = {
    server,
    lang,
    entrypoint,
    scanStatus: scan_status,
    files: await readArchive(archive, source.folder),
    scanned: stored.report.source.scanned ?? null,
    resolved: stored.report.packages?.resolved,
    fitsRestricted: stored.report.compatibility?.restricted,
  };
  const outcome = await deps.build(request, signal);
  await record(deps, taken, outcome);
  deps.log.info("build.recorded", { server, runs: outcome.build.runs });
}

/** Gives a server back that this node could not build: another try comes later. */
async function giveBack(deps: BuildDeps, taken: Taken): Promise<void> {
  const later = new Date(deps.now().getTime() + AGAIN_MS);
  await ifHeld(deps, taken, async (tx, { name }) => {
    await tx`update servers set build_at = ${later} where name = ${name}`;
  });
}

/**
 * Builds the servers that are due, until there is none left or `signal` aborts.
 *
 * @returns The names of those that it took.
 */
export async function buildDue(deps: BuildDeps, signal: AbortSignal): Promise<string[]> {
  const built: string[] = [];
  while (!signal.aborted) {
    const taken = await takeDue(deps);
    if (taken === null) break;
    built.push(taken.row.name);
    try {
      await buildOne(deps, taken, signal);
    } catch (error) {
      if (!signal.aborted) deps.log.error("build.failed", { server: taken.row.name, error });
      await giveBack(deps, taken);
    }
  }
  return built;
}
