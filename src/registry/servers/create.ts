/**
 * Registering a server.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import type { Queryable } from "../../database/client.ts";
import { AppError } from "../../errors.ts";
import type { Caller } from "../../identity/caller.ts";
import { checkArchiveRoom } from "./archive_quota.ts";
import { normalRepository } from "./change.ts";
import type { RegistryDeps } from "../deps.ts";
import { checkServerLook } from "../../names/look_alikes.ts";
import { checkAuthor, takeAuthor } from "../../names/namespaces.ts";
import type { RecordFields } from "./record.ts";
import { reservedBy, unreserve } from "../../names/reserved.ts";
import { acceptReport, runScanJob, type StartedScan, storedServer } from "../scanning/scan_job.ts";
import { beginScan } from "../scanning/scans.ts";
import type { CreateServer, ServerDetail } from "../schema.ts";
import { findRow, insertServer } from "./store.ts";
import type { RequestContext } from "../../request.ts";

const FREE = { currency: "USD", amount: 0 };

/**
 * @throws {AppError} `conflict` when the name is another record's, reserved for its last owner, or
 * looks like one of another owner.
 */
async function checkNameFree(sql: Queryable, name: string, owner: string, now: Date) {
  if (await findRow(sql, name) !== null) {
    throw new AppError("conflict", `A server called "${name}" exists already`);
  }
  const reserved = await reservedBy(sql, name, now);
  if (reserved === null || reserved.owner === owner) {
    return await checkServerLook(sql, name, owner, now);
  }
  throw new AppError(
    "conflict",
    `The name "${name}" is reserved for the owner of a removed server until ` +
      reserved.until.toISOString(),
  );
}

function fieldsFrom(
  input: CreateServer,
  author: string,
  repository: RecordFields["repository"],
): Omit<RecordFields, "tools"> {
  return {
    version: input.version,
    description: input.description,
    author,
    lang: input.lang,
    license: input.license,
    entrypoint: input.entrypoint,
    repository,
    toolsDiscovered: input.tools === undefined,
    pricing: input.pricing ?? FREE,
  };
}

/**
 * Begins a creation: claims the name and starts to fetch and scan. The name is free again if the
 * creation fails.
 *
 * @throws {AppError} `forbidden` for another's author name, `invalid_request` for the repository's
 * address, `conflict` for a name that is taken, reserved, being created or easily taken for another,
 * and for too many archives, `rate_limited` for too many scans.
 */
export async function startCreate(
  deps: RegistryDeps,
  caller: Caller,
  input: CreateServer,
  context: RequestContext,
): Promise<StartedScan> {
  const { name } = input;
  const owner = caller.userId;
  const author = input.author ?? caller.username;
  const scanId = deps.newId();
  await checkAuthor(deps.sql, deps.policy, author, owner);
  const repository = normalRepository(input.repository, deps.policy.codeHosts);
  const fields = fieldsFrom(input, author, repository);
  await deps.sql.begin(async (tx) => {
    const { requestId } = context;
    const now = deps.now();
    await beginScan(tx, {
      id: scanId,
      server: name,
      action: "create",
      actor: owner,
      owner,
      requestId,
      perHour: caller.isAdmin ? null : deps.policy.scansPerHour,
      now,
    });
    if (!caller.isAdmin) {
      await checkArchiveRoom(tx, { owner, server: null, bytes: 0 }, deps.policy.archives);
    }
    // Looked at once the name is held: whoever held it before has stored its record by now.
    await checkNameFree(tx, name, owner, now);
  });
  const done = runScanJob(deps, {
    scanId,
    server: name,
    version: input.version,
    lang: input.lang,
    entrypoint: input.entrypoint,
    tools: input.tools?.names ?? null,
    retries: 0,
    load: (signal) =>
      deps.fetchRepository({ url: repository.url, entrypoint: input.entrypoint, signal }),
    accept: (report) => acceptReport(deps, report),
    async save(tx, scanned, tools) {
      const now = deps.now();
      if (!caller.isAdmin) {
        const bytes = scanned.repository.archive.length;
        await checkArchiveRoom(tx, { owner, server: null, bytes }, deps.policy.archives);
      }
      await takeAuthor(tx, deps.policy, author, owner, now);
      await checkServerLook(tx, name, owner, now);
      await unreserve(tx, name);
      await insertServer(tx, { name, owner, fields: { ...fields, tools }, scanned, now });
      await recordChange(tx, {
        actor: owner,
        action: "server.create",
        subject: name,
        requestId: context.requestId,
        at: now,
        details: { version: fields.version, scan: scanId, archive: scanned.repository.sha256 },
      });
    },
  });
  return { scanId, done };
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
