/**
 * Scanning a server again: because somebody asks for it, or because its last scan ended in `error`.
 *
 * @module
 */
import { recordChange, SYSTEM_ACTOR } from "../../audit/audit.ts";
import type { Transaction } from "../../database/client.ts";
import { AppError } from "../../errors.ts";
import type { Caller } from "../../identity/caller.ts";
import { readArchive } from "../../repository/archive.ts";
import { loadArchive, removeUnusedArchives } from "../../repository/archives.ts";
import type { FetchedRepository } from "../../repository/fetch.ts";
import { findChangeable, serverNotFound } from "../ownership/access.ts";
import { checkArchiveRoom } from "../servers/archive_quota.ts";
import type { RegistryDeps } from "../deps.ts";
import { fieldsOf, type ServerRow } from "../servers/record.ts";
import { retryTime, runScanJob, type StartedScan } from "./scan_job.ts";
import { beginScan } from "./scans.ts";
import { changeServer, findRow, type Scanned } from "../servers/store.ts";
import type { RequestContext } from "../../request.ts";

interface Rescan {
  scanId: string;
  action: "rescan" | "retry" | "advisories";
  row: ServerRow;
  actor: string;
  requestId: string;
  perHour: number | null;
  load: (signal: AbortSignal) => Promise<FetchedRepository>;
}

async function begin(tx: Transaction, deps: RegistryDeps, rescan: Omit<Rescan, "load">) {
  const { scanId: id, action, actor, requestId, perHour, row } = rescan;
  const { name: server, owner } = row;
  const now = deps.now();
  await beginScan(tx, { id, server, action, actor, owner, requestId, perHour, now });
}

/** The report is stored whatever it says: not to store it would hide what is known. */
function run(deps: RegistryDeps, rescan: Rescan): StartedScan {
  const { scanId, row, load } = rescan;
  const done = runScanJob(deps, {
    scanId,
    server: row.name,
    version: row.version,
    lang: row.lang,
    entrypoint: row.entrypoint,
    tools: row.tools_discovered ? null : row.tools,
    retries: row.retries,
    load,
    async save(tx: Transaction, scanned: Scanned, tools: string[]) {
      const now = await findRow(tx, row.name, { lock: true });
      if (now === null) throw serverNotFound(row.name);
      if (rescan.perHour !== null) {
        const room = {
          owner: now.owner,
          server: row.name,
          bytes: scanned.repository.archive.length,
        };
        await checkArchiveRoom(tx, room, deps.policy.archives);
      }
      await changeServer(tx, row.name, { fields: { ...fieldsOf(now), tools }, scanned });
      await recordChange(tx, {
        actor: rescan.actor,
        action: `server.${rescan.action}`,
        subject: row.name,
        requestId: rescan.requestId,
        at: deps.now(),
        details: { scan: scanId, status: scanned.report.status },
      });
    },
    afterwards: async () => void await removeUnusedArchives(deps.sql),
  });
  return { scanId, done };
}

/**
 * Fetches and scans a server again, at the request of whoever may change it.
 *
 * @throws {AppError} `not_found`, `forbidden`, `conflict` when it is being scanned, `rate_limited`.
 */
export async function rescanServer(
  deps: RegistryDeps,
  caller: Caller,
  name: string,
  context: RequestContext,
): Promise<StartedScan> {
  const row = await findChangeable(deps, caller, name);
  const rescan = {
    scanId: deps.newId(),
    action: "rescan" as const,
    row,
    actor: caller.userId,
    requestId: context.requestId,
    perHour: caller.isAdmin ? null : deps.policy.scansPerHour,
  };
  await deps.sql.begin((tx) => begin(tx, deps, rescan));
  const { repository_url: url, entrypoint } = row;
  const load = (signal: AbortSignal) => deps.fetchRepository({ url, entrypoint, signal });
  return run(deps, { ...rescan, load });
}

/** The content of a record as it was fetched. */
export async function storedRepository(
  deps: RegistryDeps,
  row: ServerRow,
): Promise<FetchedRepository> {
  const archive = await loadArchive(deps.sql, row.archive_sha256);
  if (archive === null) {
    throw new AppError("internal", `The archive of the server "${row.name}" is missing`);
  }
  const { owner, name, url, ref, folder, commit, bytes } = row.source;
  const files = await readArchive(archive, folder);
  return {
    owner,
    name,
    url,
    ref,
    folder,
    commit,
    archive,
    sha256: row.archive_sha256,
    files,
    bytes,
  };
}

function systemScan(
  deps: RegistryDeps,
  row: ServerRow,
  action: "retry" | "advisories",
): Omit<Rescan, "load"> {
  const scanId = deps.newId();
  return { scanId, action, row, actor: SYSTEM_ACTOR, requestId: scanId, perHour: null };
}

/** Begins a scan of the stored bytes that nobody asked for. @throws {AppError} `conflict`. */
export async function beginSystemScan(
  deps: RegistryDeps,
  row: ServerRow,
  action: "retry" | "advisories",
): Promise<Omit<Rescan, "load">> {
  const rescan = systemScan(deps, row, action);
  await deps.sql.begin((tx) => begin(tx, deps, rescan));
  return rescan;
}

/** Runs a scan that has begun over the bytes that the record has. */
export function runStored(deps: RegistryDeps, rescan: Omit<Rescan, "load">): StartedScan {
  return run(deps, { ...rescan, load: () => storedRepository(deps, rescan.row) });
}

/** The next record that is due and that no other node is taking, with its scan begun. */
async function takeDue(deps: RegistryDeps): Promise<Omit<Rescan, "load"> | null> {
  return await deps.sql.begin(async (tx) => {
    const [due] = await tx<{ name: string }[]>`
      select name from servers
      where retry_at <= ${deps.now()}
        and not exists (
          select 1 from scans s where s.server = servers.name and s.state = 'running')
      order by retry_at limit 1 for update skip locked`;
    if (due === undefined) return null;
    const row = (await findRow(tx, due.name))!;
    // Counts although the scan may be refused or its node may die: no record is tried in a loop.
    await tx`
      update servers set retry_at = ${retryTime(deps.now(), row.retries)} where name = ${row.name}`;
    const rescan = systemScan(deps, row, "retry");
    await begin(tx, deps, rescan);
    return rescan;
  });
}

/**
 * Scans the records again that are due because their last scan ended in `error`: the same bytes, one
 * record after the other. Any number of nodes may do so at once.
 *
 * @returns How many were scanned.
 */
export async function retryErroredScans(deps: RegistryDeps): Promise<number> {
  for (let scanned = 0;; scanned++) {
    if (deps.jobs.signal.aborted) return scanned;
    const due = await takeDue(deps);
    if (due === null) return scanned;
    await runStored(deps, due).done;
  }
}
