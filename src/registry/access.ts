/**
 * Who may change a record. The checks come before a request's body is looked at: a record that is
 * missing or another's is answered as such, whatever was sent.
 *
 * @module
 */
import { z } from "zod";
import { AppError } from "../errors.ts";
import type { Caller } from "../identity/caller.ts";
import { forbidden } from "../identity/failures.ts";
import type { RegistryDeps } from "./deps.ts";
import { checkAuthor } from "./namespaces.ts";
import type { ServerRow } from "./record.ts";
import { findRow } from "./store.ts";

/** What use cases need of {@link RegistryDeps} to check access. */
export type AccessDeps = Pick<RegistryDeps, "sql" | "policy">;

/** The failure of a name that no record has. */
export function serverNotFound(name: string): AppError {
  return new AppError("not_found", `Server "${name.slice(0, 100)}" was not found`);
}

/** Checks that `caller` owns the record of `row` or is an administrator. */
export function checkOwner(caller: Caller, row: ServerRow): void {
  if (caller.isAdmin || row.owner === caller.userId) return;
  throw forbidden("owner", `Only the owner of "${row.name}" or an administrator may change it`);
}

/**
 * The record called `name`, which `caller` may change.
 *
 * @throws {AppError} `not_found`, then `forbidden`.
 */
export async function findChangeable(
  deps: AccessDeps,
  caller: Caller,
  name: string,
): Promise<ServerRow> {
  const row = await findRow(deps.sql, name);
  if (row === null) throw serverNotFound(name);
  checkOwner(caller, row);
  return row;
}

const AuthorOnly = z.looseObject({ author: z.string().trim().min(1).max(100) });

/** The author that a body names, as far as it names one. */
function authorIn(body: unknown): string | null {
  const parsed = AuthorOnly.safeParse(body);
  return parsed.success && !parsed.data.author.includes("\0") ? parsed.data.author : null;
}

/**
 * Checks what may be checked of a creation before its body is validated.
 *
 * @param body The parsed JSON, whatever it is.
 * @throws {AppError} `forbidden` when it names an author that belongs to another user.
 */
export async function authorizeCreate(
  deps: AccessDeps,
  caller: Caller,
  body: unknown,
): Promise<void> {
  const author = authorIn(body);
  if (author !== null) await checkAuthor(deps.sql, deps.policy, author, caller.userId);
}

/**
 * Checks what may be checked of a change before its body is validated.
 *
 * @param body The parsed JSON of an update; nothing for a removal or a new scan.
 * @throws {AppError} `not_found`, then `forbidden`.
 */
export async function authorizeChange(
  deps: AccessDeps,
  caller: Caller,
  name: string,
  body?: unknown,
): Promise<void> {
  const row = await findChangeable(deps, caller, name);
  const author = authorIn(body);
  if (author !== null) await checkAuthor(deps.sql, deps.policy, author, row.owner);
}
