/**
 * Moves archives from the database to a store of objects, and removes objects that nobody needs. One
 * node at a time: nobody else writes or removes objects. Publication does not wait for the store, nor
 * does it fail with it.
 *
 * @module
 */
import type { Queryable, Sql } from "../database/client.ts";
import { loadArchive } from "./archives.ts";
import type { ArchiveObjects } from "./objects.ts";

/** Archives that are moved in a round: the others wait for the next. */
const MOVES = 100;
/** Until then what has just been read in a place may still be read there. */
const UNUSED_MINUTES = 60;

async function move(sql: Sql, objects: ArchiveObjects, sha256: string): Promise<boolean> {
  const bytes = await loadArchive(sql, sha256);
  if (bytes === null) return false;
  await sql`
    insert into archive_objects (sha256) values (${sha256})
    on conflict (sha256) do update set unused_since = null`;
  await objects.put(sha256, bytes);
  await sql.begin(async (tx) => {
    const moved = await tx`
      update archives set stored_in = 'objects'
      where sha256 = ${sha256} and stored_in = 'database' returning sha256`;
    if (moved.length === 1) await tx`delete from archive_parts where sha256 = ${sha256}`;
  });
  return true;
}

/** Moves archives that are in the database. @returns How many. */
export async function moveArchives(sql: Sql, objects: ArchiveObjects): Promise<number> {
  const waiting = await sql<{ sha256: string }[]>`
    select sha256 from archives where stored_in = 'database' order by created_at limit ${MOVES}`;
  let moved = 0;
  for (const { sha256 } of waiting) if (await move(sql, objects, sha256)) moved++;
  return moved;
}

/** Objects that no archive is in. */
function unused(sql: Queryable) {
  return sql`not exists (
    select 1 from archives a where a.sha256 = archive_objects.sha256 and a.stored_in = 'objects'
  )`;
}

/** Removes objects that no archive has been in for an hour. @returns How many. */
export async function removeUnusedObjects(sql: Sql, objects: ArchiveObjects): Promise<number> {
  await sql`
    update archive_objects set unused_since = now() where unused_since is null and ${unused(sql)}`;
  await sql`
    update archive_objects set unused_since = null
    where unused_since is not null and not ${unused(sql)}`;
  const gone = await sql<{ sha256: string }[]>`
    select sha256 from archive_objects
    where unused_since < now() - make_interval(mins => ${UNUSED_MINUTES}) and ${unused(sql)}`;
  for (const { sha256 } of gone) {
    await objects.remove(sha256);
    await sql`delete from archive_objects where sha256 = ${sha256}`;
  }
  return gone.length;
}
