/**
 * Removing a server.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import type { Transaction } from "../../database/client.ts";
import type { Caller } from "../../identity/caller.ts";
import { removeUnusedArchives } from "../../repository/archives.ts";
import { serverDeleted, serverNotFound } from "../failures.ts";
import { checkChange, findChangeable } from "../ownership/access.ts";
import type { RegistryDeps, RegistryPolicy } from "../deps.ts";
import { checkIfMatch } from "./etag.ts";
import { reserve } from "../../names/reserved.ts";
import { endRefused } from "../scanning/scans.ts";
import { findDetail, findRow } from "./store.ts";
import type { ChangeContext } from "../../request.ts";

/**
 * Removes a record in a transaction; unused archives and live sessions are left to who begins it.
 *
 * @throws {AppError} `not_found`, `forbidden`, `stale`.
 */
export async function removeRecord(
  tx: Transaction,
  deps: Pick<RegistryDeps, "now"> & { policy: Pick<RegistryPolicy, "authorPolicy" | "payments"> },
  caller: Caller,
  name: string,
  context: ChangeContext,
): Promise<void> {
  const now = deps.now();
  // The scan before the record, in the order in which a scan that ends takes them.
  await endRefused(tx, { server: name }, serverDeleted(name), now);
  const row = await findRow(tx, name, { lock: true });
  if (row === null) throw serverNotFound(name);
  await checkChange(tx, deps.policy, caller, row);
  if (context.ifMatch !== undefined) {
    await checkIfMatch(context.ifMatch, (await findDetail(tx, name, deps.policy))!);
  }
  await tx`delete from servers where name = ${name}`;
  await reserve(tx, name, row.owner, now);
  await recordChange(tx, {
    actor: caller.userId,
    action: "server.remove",
    subject: name,
    requestId: context.requestId,
    at: now,
    details: { version: row.version, owner: row.owner },
  });
}

/**
 * Removes a server. Its name stays reserved for its owner; scans of it that still run end.
 *
 * @throws {AppError} `not_found`, `forbidden`, `stale`.
 */
export async function removeServer(
  deps: RegistryDeps,
  caller: Caller,
  name: string,
  context: ChangeContext,
): Promise<void> {
  await findChangeable(deps, caller, name);
  await deps.sql.begin((tx) => removeRecord(tx, deps, caller, name, context));
  await removeUnusedArchives(deps.sql);
}
