/**
 * Scanning a server again: because somebody asks for it, or because its last scan ended in `error`.
 *
 * @module
 */
import { recordChange, SYSTEM_ACTOR } from "../../audit/audit.ts";
import type { Transaction } from "../../database/client.ts";
import type { Caller } from "../../identity/caller.ts";
import { readArchive } from "../../repository/archive.ts";
import { loadArchive, removeUnusedArchives } from "../../repository/archives.ts";
import type { FetchedRepository } from "../../repository/fetch.ts";
import { archiveMissing, serverNotFound } from "../failures.ts";
import { findChangeable } from "../ownership/access.ts";
import { checkArchiveRoom } from "../servers/archive_quota.ts";
import type { RegistryDeps } from "../deps.ts";
import { fieldsOf, type ServerRow } from "../servers/record.ts";
import type { ServerDetail } from "../schema.ts";
import { runScanJob, type StartedScan } from "./scan_job.ts";
import { keepScan } from "./scan_reports.ts";
import { retryTime, scanRepository } from "./scan_repository.ts";
import { beginScan, endStored } from "./scans.ts";
import { changeServer, findRow, type Scanned } from "../servers/store.ts";
import type { RequestContext } from "../../request.ts";

interface Rescan {
  scanId: string;
  action: "rescan" | "retry" | "advisories";
  row: ServerRow;
  actor: string;
  requestId: string;
  perHour: number | null;
}

async function begin(tx: Transaction, deps: RegistryDeps, rescan: Rescan) {
  const { scanId: id, action, actor, requestId, perHour, row } = rescan;
  const { name: server, owner } = row;
  const now = deps.now();
  await beginScan(tx, { id, server, action, actor, owner, requestId, perHour, now });
}

/** Stores the report with its scan, which ends; of the record only what was scanned changes. */
async function store(
  tx: Transaction,
  deps: RegistryDeps,
  rescan: Rescan,
  scanned: Scanned,
): Promise<ServerDetail> {
  const { scanId, row: { name, version } } = rescan;
  const { report, repository, tools } = scanned;
  // First, so that a scan which has lost its hold on the name stores nothing.
  await endStored(tx, scanId, report, deps.now());
  const now = await findRow(tx, name, { lock: true });
  if (now === null) throw serverNotFound(name);
  if (rescan.perHour !== null) {
    const bytes = repository.archive.length;
    await checkArchiveRoom(tx, { owner: now.owner, server: name, bytes }, deps.policy.archives);
  }
  await changeServer(tx, name, { fields: { ...fieldsOf(now), tools }, scanned });
  await recordChange(tx, {
    actor: rescan.actor,
    action: `server.${rescan.action}`,
    subject: name,
    requestId: rescan.requestId,
    at: deps.now(),
    details: { scan: scanId, status: report.status },
  });
  return await keepScan(tx, deps, { scanId, server: name, version, report });
}

/** The report is stored whatever it says: not to store it would hide what is known. */
function run(
  deps: RegistryDeps,
  rescan: Rescan,
  load: (signal: AbortSignal) => Promise<FetchedRepository>,
): StartedScan {
  const { scanId, row } = rescan;
  const { name: server, version, lang, entrypoint, retries } = row;
  const tools = row.tools_discovered ? null : row.tools;
  const subject = { server, version, lang, entrypoint, tools, retries };
  return runScanJob(deps, { scanId, server }, async (held) => {
    const repository = await load(held.signal);
    const scanned = await scanRepository(deps, held, subject, repository);
    const stored = await deps.sql.begin((tx) => store(tx, deps, rescan, scanned));
    deps.onStored?.(repository);
    await removeUnusedArchives(deps.sql);
    return stored;
  });
}

/**
 * Whose token a record's repository may be read with when it is scanned again: its owner's, if it was
 * published as a private one. One that has become private since is not published without being asked.
 */
export function readerOf(
  { owner, repository_private: isPrivate }: Pick<ServerRow, "owner" | "repository_private">,
): string | undefined {
  return isPrivate ? owner : undefined;
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
  const rescan: Rescan = {
    scanId: deps.newId(),
    action: "rescan",
    row,
    actor: caller.userId,
    requestId: context.requestId,
    perHour: caller.isAdmin ? null : deps.policy.scansPerHour,
  };
  await deps.sql.begin((tx) => begin(tx, deps, rescan));
  const { repository_url: url, entrypoint } = row;
  const reader = readerOf(row);
  return run(deps, rescan, (signal) => deps.fetchRepository({ url, entrypoint, reader, signal }));
}

/** The content of a record as it was fetched. */
export async function storedRepository(
  deps: RegistryDeps,
  row: ServerRow,
): Promise<FetchedRepository> {
  const archive = await loadArchive(deps.sql, row.archive_sha256, deps.objects);
  if (archive === null) throw archiveMissing(row.name);
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
    isPrivate: row.repository_private,
  };
}

function systemScan(
  deps: RegistryDeps,
  row: ServerRow,
  action: "retry" | "advisories",
): Rescan {
  const scanId = deps.newId();
  return { scanId, action, row, actor: SYSTEM_ACTOR, requestId: scanId, perHour: null };
}

/** Begins a scan of the stored bytes that nobody asked for. @throws {AppError} `conflict`. */
export async function beginSystemScan(
  deps: RegistryDeps,
  row: ServerRow,
  action: "retry" | "advisories",
): Promise<Rescan> {
  const rescan = systemScan(deps, row, action);
  await deps.sql.begin((tx) => begin(tx, deps, rescan));
  return rescan;
}

/** Runs a scan that has begun over the bytes that the record has. */
export function runStored(deps: RegistryDeps, rescan: Rescan): StartedScan {
  return run(deps, rescan, () => storedRepository(deps, rescan.row));
}

/** The next record that is due and that no other node is taking, with its scan begun. */
async function takeDue(deps: RegistryDeps): Promise<Rescan | null> {
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
