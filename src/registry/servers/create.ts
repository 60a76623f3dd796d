/**
 * Registering a server.
 *
 * @module
 */
import type { Visibility } from "../../access/schema.ts";
import { recordChange } from "../../audit/audit.ts";
import type { Queryable, Transaction } from "../../database/client.ts";
import type { Caller } from "../../identity/caller.ts";
import { checkArchiveRoom } from "./archive_quota.ts";
import { normalRepository, visibilityOf } from "./change.ts";
import type { RegistryDeps } from "../deps.ts";
import { nameReserved, serverExists } from "../failures.ts";
import { checkServerLook } from "../../names/look_alikes.ts";
import { takeAuthor } from "../../names/namespaces.ts";
import type { RecordFields } from "./record.ts";
import { reservedBy, unreserve } from "../../names/reserved.ts";
import { runScanJob, type StartedScan, storedServer } from "../scanning/scan_job.ts";
import { keepScan } from "../scanning/scan_reports.ts";
import { acceptReport, scanRepository } from "../scanning/scan_repository.ts";
import { beginScan, endStored } from "../scanning/scans.ts";
import type { CreateServer, ServerDetail } from "../schema.ts";
import { findRow, insertServer, type Scanned } from "./store.ts";
import type { RequestContext } from "../../request.ts";

const FREE = { currency: "USD", amount: 0 };

/**
 * @throws {AppError} `conflict` when the name is another record's, reserved for its last owner, or
 * looks like one of another owner.
 */
async function checkNameFree(sql: Queryable, name: string, owner: string, now: Date) {
  if (await findRow(sql, name) !== null) throw serverExists(name);
  const reserved = await reservedBy(sql, name, now);
  if (reserved === null || reserved.owner === owner) {
    return await checkServerLook(sql, name, owner, now);
  }
  throw nameReserved(name, reserved.until);
}

/** A creation that has begun. */
interface Creation {
  scanId: string;
  caller: Caller;
  name: string;
  /** Fields of the record, but for the tools, which the scan may find, and who reads it. */
  fields: Omit<RecordFields, "tools" | "visibility">;
  /** Null when that depends on who reads the repository. */
  visibility: Visibility | null;
  /** Reported tools; null when those that are found become the record's. */
  tools: string[] | null;
  context: RequestContext;
}

/** @throws {AppError} `invalid_request` for the repository's address. */
function creationOf(
  deps: RegistryDeps,
  caller: Caller,
  input: CreateServer,
  context: RequestContext,
): Creation {
  const { name, version, description, lang, license, entrypoint, tools } = input;
  return {
    scanId: deps.newId(),
    caller,
    name,
    fields: {
      version,
      description,
      author: input.author ?? caller.username,
      lang,
      license,
      entrypoint,
      repository: normalRepository(input.repository, deps.policy.codeHosts),
      toolsDiscovered: tools === undefined,
      pricing: input.pricing ?? FREE,
      configuration: input.configuration ?? null,
      category: input.category ?? null,
      tags: input.tags ?? null,
    },
    visibility: input.visibility ?? null,
    tools: tools?.names ?? null,
    context,
  };
}

/** Begins the scan, which holds the name, if nothing is against the creation. */
async function begin(tx: Transaction, deps: RegistryDeps, creation: Creation): Promise<void> {
  const { scanId, caller, name, context } = creation;
  const owner = caller.userId;
  const now = deps.now();
  await beginScan(tx, {
    id: scanId,
    server: name,
    action: "create",
    actor: owner,
    owner,
    requestId: context.requestId,
    perHour: caller.isAdmin ? null : deps.policy.scansPerHour,
    now,
  });
  if (!caller.isAdmin) {
    await checkArchiveRoom(tx, { owner, server: null, bytes: 0 }, deps.policy.archives);
  }
  // Looked at once the name is held: whoever held it before has stored its record by now.
  await checkNameFree(tx, name, owner, now);
}

/** Stores the record with its scan, which ends. */
async function store(
  tx: Transaction,
  deps: RegistryDeps,
  { scanId, caller, name, fields, context, ...creation }: Creation,
  scanned: Scanned,
): Promise<ServerDetail> {
  const owner = caller.userId;
  const { report, repository } = scanned;
  const isNowPrivate = repository.isPrivate;
  const visibility = visibilityOf(creation.visibility, { before: "public", isNowPrivate });
  const now = deps.now();
  // First, so that a scan which has lost its hold on the name stores nothing.
  await endStored(tx, scanId, report, now);
  if (!caller.isAdmin) {
    const bytes = repository.archive.length;
    await checkArchiveRoom(tx, { owner, server: null, bytes }, deps.policy.archives);
  }
  await takeAuthor(tx, deps.policy, fields.author, owner, now);
  await checkServerLook(tx, name, owner, now);
  await unreserve(tx, name);
  await insertServer(tx, {
    name,
    owner,
    fields: { ...fields, tools: scanned.tools, visibility },
    scanned,
    now,
  });
  await recordChange(tx, {
    actor: owner,
    action: "server.create",
    subject: name,
    requestId: context.requestId,
    at: now,
    details: {
      version: fields.version,
      scan: scanId,
      archive: repository.sha256,
      ...(visibility === "public" ? {} : { visibility }),
    },
  });
  return await keepScan(tx, deps, { scanId, server: name, version: fields.version, report });
}

/**
 * Begins a creation: claims the name and starts to fetch and scan. The name is free again if the
 * creation fails. Whether the author is the caller's is checked by `authorizeCreate` before, and by
 * the transaction that stores the record.
 *
 * @throws {AppError} `invalid_request` for the repository's address, `conflict` for a name that is
 * taken, reserved, being created or too much like another, and for too many archives,
 * `rate_limited` for too many scans.
 */
export async function startCreate(
  deps: RegistryDeps,
  caller: Caller,
  input: CreateServer,
  context: RequestContext,
): Promise<StartedScan> {
  const creation = creationOf(deps, caller, input, context);
  const { scanId, name: server, fields, tools } = creation;
  const { version, lang, entrypoint, repository: { url } } = fields;
  const subject = { server, version, lang, entrypoint, tools, retries: 0 };
  await deps.sql.begin((tx) => begin(tx, deps, creation));
  return runScanJob(deps, { scanId, server }, async (held) => {
    const reader = caller.userId;
    const repository = await deps.fetchRepository({ url, entrypoint, reader, signal: held.signal });
    const scanned = await scanRepository(deps, held, subject, repository);
    acceptReport(deps.policy, scanned.report);
    const stored = await deps.sql.begin((tx) => store(tx, deps, creation, scanned));
    deps.onStored?.(repository);
    return stored;
  });
}

/**
 * Registers a server and waits for its scan.
 *
 * @throws {AppError} As {@link startCreate}; `repository_refused` and `unavailable` for what became
 * of fetching and, under `SCAN_POLICY=reject`, of scanning.
 */
export async function createServer(
  deps: RegistryDeps,
  caller: Caller,
  input: CreateServer,
  context: RequestContext,
): Promise<ServerDetail> {
  return await storedServer(await startCreate(deps, caller, input, context));
}
