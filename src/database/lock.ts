/**
 * One process a data folder: the embedded database has no lock of its own, and two processes that
 * write the same files destroy them.
 *
 * @module
 */
import { DatabaseError } from "./errors.ts";

/** A held lock. The operating system frees it too when the process ends, however it ends. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes the lock of `folder`, which must exist.
 *
 * @throws {DatabaseError} When another process, or this one, holds it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const file = await Deno.open(`${folder}/database.lock`, { create: true, write: true });
  if (!await file.tryLock(true)) {
    file.close();
    throw new DatabaseError(
      `The data folder "${folder}" is in use by another process. Stop that process, ` +
        "or set a different DATA_DIR for this one",
    );
  }
  return { release: () => file.close() };
}
