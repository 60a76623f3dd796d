/**
 * The archive store: the bytes that were scanned and that run, under their digest.
 *
 * @module
 */
import type { Queryable, Transaction } from "../database/client.ts";
import { databaseErrorCode } from "../database/errors.ts";
import { archiveUnreachable } from "./failures.ts";
import type { ArchiveObjects } from "./objects.ts";

/** Bytes in a part: large enough to be few, small enough for a message. */
const PART = 1024 * 1024;
const FOREIGN_KEY_VIOLATION = "23503";

/**
 * Stores `bytes` under `sha256`, once. Called in the transaction that stores the record which
 * refers to it; the archive cannot be removed until that transaction ends.
 */
export async function storeArchive(
  sql: Transaction,
  sha256: string,
  bytes: Uint8Array,
): Promise<void> {
  // The update does nothing but lock a row that is there. `xmax` is 0 in a row that is new.
  const [row] = await sql<[{ inserted: boolean }]>`
    insert into archives (sha256, size, created_at) values (${sha256}, ${bytes.length}, now())
    on conflict (sha256) do update set size = archives.size
    returning (xmax = 0) as inserted`;
  if (!row.inserted) return;
  for (let part = 0; part * PART < bytes.length; part++) {
    const slice = bytes.subarray(part * PART, (part + 1) * PART);
    await sql`
      insert into archive_parts (sha256, part, bytes) values (${sha256}, ${part}, ${slice})`;
  }
}

async function fromObjects(
  objects: ArchiveObjects | null | undefined,
  sha256: string,
  size: number,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    if (!objects) throw new Error("It is in a store of objects, and ARCHIVES_S3_URL is not set");
    const bytes = await objects.get(sha256, size);
    if (bytes === null) throw new Error(`The store does not have the archive ${sha256}`);
    return bytes;
  } catch (cause) {
    throw archiveUnreachable(cause);
  }
}

/**
 * The archive with this digest; null when it is not there.
 *
 * @throws {AppError} `unavailable` when the store that has it does not give it.
 */
export async function loadArchive(
  sql: Queryable,
  sha256: string,
  objects?: ArchiveObjects | null,
): Promise<Uint8Array<ArrayBuffer> | null> {
  // One that was moved meanwhile is found where it is now.
  return await findArchive(sql, sha256, objects) ?? await findArchive(sql, sha256, objects);
}

async function findArchive(
  sql: Queryable,
  sha256: string,
  objects: ArchiveObjects | null | undefined,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const [archive] = await sql<{ size: number; parts: number; isObject: boolean }[]>`
    select size::int as size, stored_in = 'objects' as "isObject",
      (select count(*)::int from archive_parts p where p.sha256 = a.sha256) as parts
    from archives a where sha256 = ${sha256}`;
  if (archive === undefined) return null;
  if (archive.isObject) return await fromObjects(objects, sha256, archive.size);
  const bytes = new Uint8Array(archive.size);
  for (let part = 0; part < archive.parts; part++) {
    const [row] = await sql<{ bytes: Uint8Array }[]>`
      select bytes from archive_parts where sha256 = ${sha256} and part = ${part}`;
    if (row === undefined) return null;
    bytes.set(row.bytes, part * PART);
  }
  return bytes;
}

/** Removes the archives that no record refers to, and returns how many. */
export async function removeUnusedArchives(sql: Queryable): Promise<number> {
  try {
    const removed = await sql`
      delete from archives a
      where not exists (select 1 from servers s where s.archive_sha256 = a.sha256)`;
    return removed.count;
  } catch (error) {
    // A record that is stored just now took one of them up again: the next round sees it.
    if (databaseErrorCode(error) === FOREIGN_KEY_VIOLATION) return 0;
    throw error;
  }
}
