/**
 * Changing a server.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import type { AddressHost } from "../../code_host_settings.ts";
import type { Transaction } from "../../database/client.ts";
import type { Caller } from "../../identity/caller.ts";
import { removeUnusedArchives } from "../../repository/archives.ts";
import { nameFixed, serverNotFound } from "../failures.ts";
import { checkChange, checkNewAuthor, findChangeable, findExisting } from "../ownership/access.ts";
import { checkArchiveRoom } from "./archive_quota.ts";
import {
  changedFields,
  needsScan,
  normalRepository,
  visibilityOf,
  withChanges,
  withoutProposedTopics,
} from "./change.ts";
import type { RegistryDeps } from "../deps.ts";
import { checkIfMatch } from "./etag.ts";
import { lockAuthor, takeAuthor } from "../../names/namespaces.ts";
import { detailOf, fieldsOf, type RecordFields, type ServerRow } from "./record.ts";
import { runScanJob, type StartedScan, storedServer } from "../scanning/scan_job.ts";
import { keepScan } from "../scanning/scan_reports.ts";
import { readerOf } from "../scanning/rescan.ts";
import { acceptReport, scanRepository } from "../scanning/scan_repository.ts";
import { beginScan, endStored } from "../scanning/scans.ts";
import type { ServerDetail, UpdateServer } from "../schema.ts";
import { changeServer, findDetail, findRow, findServer, type Scanned } from "./store.ts";
import type { ChangeContext } from "../../request.ts";

/** A change that needs a scan, which has begun, or one that is done. */
export type StartedUpdate =
  | ({ kind: "scanning" } & StartedScan)
  | { kind: "changed"; server: ServerDetail };

interface Update {
  deps: RegistryDeps;
  caller: Caller;
  name: string;
  input: UpdateServer;
  context: ChangeContext;
}

/** The record as it is now, which the caller may change and which is what the client saw. */
async function current(tx: Transaction, update: Update): Promise<ServerRow> {
  const row = await findRow(tx, update.name, { lock: true });
  if (row === null) throw serverNotFound(update.name);
  await checkChange(tx, update.deps.policy, update.caller, row);
  if (update.context.ifMatch !== undefined) {
    await checkIfMatch(
      update.context.ifMatch,
      (await findDetail(tx, update.name, update.deps.policy))!,
    );
  }
  return row;
}

/** Writes the change, over what others may have changed since the request came. */
async function write(
  tx: Transaction,
  update: Update,
  scan?: { scanned: Scanned; id: string },
): Promise<void> {
  const { deps, caller, name, input, context } = update;
  // Names before records, in the order in which a change of a name's owners takes them.
  if (input.author !== undefined) await lockAuthor(tx, input.author, { shared: true });
  const row = await current(tx, update);
  const fields = withChanges(fieldsOf(row), input);
  const isNowPrivate = scan?.scanned.repository.isPrivate === true && !row.repository_private;
  const before = fields.visibility;
  fields.visibility = visibilityOf(input.visibility ?? null, { before, isNowPrivate });
  const changed = changedFields(fieldsOf(row), fields);
  if (changed.length === 0 && scan === undefined) return;
  const now = deps.now();
  if (changed.includes("author")) {
    await checkNewAuthor(tx, deps.policy, caller, row, fields.author);
    await takeAuthor(tx, deps.policy, fields.author, row.owner, now);
  }
  if (scan !== undefined && !caller.isAdmin) {
    const bytes = scan.scanned.repository.archive.length;
    await checkArchiveRoom(tx, { owner: row.owner, server: name, bytes }, deps.policy.archives);
  }
  await changeServer(tx, name, {
    fields: scan === undefined ? fields : { ...fields, tools: scan.scanned.tools },
    ...(scan === undefined ? {} : { scanned: scan.scanned }),
    updatedAt: now,
  });
  await recordChange(tx, {
    actor: caller.userId,
    action: "server.update",
    subject: name,
    requestId: context.requestId,
    at: now,
    details: {
      changed,
      ...(scan === undefined ? {} : { scan: scan.id }),
      ...(changed.includes("visibility") ? { visibility: fields.visibility } : {}),
    },
  });
}

function checkName(name: string, input: UpdateServer): void {
  if (input.name === undefined || input.name === name) return;
  throw nameFixed(name);
}

/** A repository that is sent back as it was shown stays, though its host be served no more. */
function withNormalRepository(
  input: UpdateServer,
  before: RecordFields,
  codeHosts: readonly AddressHost[],
): UpdateServer {
  const { repository } = input;
  if (repository === undefined || repository.url === before.repository.url) return input;
  return { ...input, repository: normalRepository(repository, codeHosts) };
}

async function changeAtOnce(update: Update): Promise<ServerDetail> {
  return await update.deps.sql.begin(async (tx) => {
    await write(tx, update);
    return detailOf((await findServer(tx, update.name))!, update.deps.policy);
  });
}

/** Stores the change with its scan, which ends. */
async function store(
  tx: Transaction,
  update: Update,
  { scanId, version }: { scanId: string; version: string },
  scanned: Scanned,
): Promise<ServerDetail> {
  const { deps, name: server } = update;
  // First, so that a scan which has lost its hold on the name stores nothing.
  await endStored(tx, scanId, scanned.report, deps.now());
  await write(tx, update, { scanned, id: scanId });
  return await keepScan(tx, deps, { scanId, server, version, report: scanned.report });
}

/** Begins the scan, which holds the name, and returns the record as it is then. */
async function begin(tx: Transaction, update: Update, scanId: string): Promise<ServerRow> {
  const { deps, caller, name, context } = update;
  const { owner } = await findExisting(tx, name);
  await beginScan(tx, {
    id: scanId,
    server: name,
    action: "update",
    actor: caller.userId,
    owner,
    requestId: context.requestId,
    perHour: caller.isAdmin ? null : deps.policy.scansPerHour,
    now: deps.now(),
  });
  return await current(tx, update);
}

/**
 * Whose token the repository may be read with. Whoever names another one has to be able to read it:
 * the owner's token is not theirs to use.
 */
function readerFor({ caller }: Update, row: ServerRow, url: string): string | undefined {
  const isSame = url === row.repository_url;
  return isSame && caller.userId !== row.owner ? readerOf(row) : caller.userId;
}

async function scanChange(update: Update): Promise<StartedScan> {
  const { deps, name: server, input } = update;
  const scanId = deps.newId();
  const row = await deps.sql.begin((tx) => begin(tx, update, scanId));
  const fields = withChanges(fieldsOf(row), input);
  const { version, lang, entrypoint, repository: { url } } = fields;
  const tools = fields.toolsDiscovered ? null : fields.tools;
  const subject = { server, version, lang, entrypoint, tools, retries: 0 };
  return runScanJob(deps, { scanId, server }, async (held) => {
    const reader = readerFor(update, row, url);
    const repository = await deps.fetchRepository({ url, entrypoint, reader, signal: held.signal });
    const scanned = await scanRepository(deps, held, subject, repository);
    acceptReport(deps.policy, scanned.report);
    const stored = await deps.sql.begin((tx) => store(tx, update, { scanId, version }, scanned));
    deps.onStored?.(repository);
    await removeUnusedArchives(deps.sql);
    return stored;
  });
}

/**
 * Begins a change. One that touches what was scanned fetches and scans again, and leaves the record
 * as it is until that has succeeded; any other is done when this returns.
 *
 * @throws {AppError} `not_found`, `forbidden`, `invalid_request`, `conflict` when the server is being
 * scanned, `stale`, `rate_limited` for too many scans.
 */
export async function startUpdate(
  deps: RegistryDeps,
  caller: Caller,
  name: string,
  sent: UpdateServer,
  context: ChangeContext,
): Promise<StartedUpdate> {
  const row = await findChangeable(deps, caller, name);
  const before = fieldsOf(row);
  await checkNewAuthor(deps.sql, deps.policy, caller, row, sent.author ?? before.author);
  checkName(name, sent);
  const kept = withoutProposedTopics(sent, row);
  const input = withNormalRepository(kept, before, deps.policy.codeHosts);
  const after = withChanges(before, input);
  const update = { deps, caller, name, input, context };
  if (!needsScan(before, after, deps.policy.codeHosts)) {
    return { kind: "changed", server: await changeAtOnce(update) };
  }
  return { kind: "scanning", ...await scanChange(update) };
}

/**
 * Changes a server, and waits for its scan where it needs one.
 *
 * @throws {AppError} As {@link startUpdate} and, for fetching and scanning, as `createServer`.
 */
export async function updateServer(
  deps: RegistryDeps,
  caller: Caller,
  name: string,
  input: UpdateServer,
  context: ChangeContext,
): Promise<ServerDetail> {
  const started = await startUpdate(deps, caller, name, input, context);
  return started.kind === "changed" ? started.server : await storedServer(started);
}
