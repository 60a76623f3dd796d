/**
 * Icons of servers that were stored before icons were drawn, or while too many were waiting: a few at
 * a time, in the background.
 *
 * @module
 */
import type { Sql } from "../database/client.ts";
import type { Logger } from "../log.ts";
import { readArchive } from "../repository/archive.ts";
import { loadArchive } from "../repository/archives.ts";
import type { Icons } from "./icons.ts";
import type { Source } from "./readme_store.ts";

/** Icons of one call. */
const AT_ONCE = 4;
/** Calls that do nothing once all have been gone through: an hour's, at one in 15 seconds. */
const RESTING = 240;

export interface MissingIconsDeps {
  sql: Sql;
  log: Logger;
  icons: Pick<Icons, "prepare">;
}

const BEGINNING: Source = { archive_sha256: "", folder: "" };

async function sourcesAfter(sql: Sql, { archive_sha256, folder }: Source): Promise<Source[]> {
  return await sql<Source[]>`
    select distinct archive_sha256, source ->> 'folder' as folder from servers
    where archive_sha256 >= ${archive_sha256}
      and (archive_sha256, source ->> 'folder') > (${archive_sha256}, ${folder})
      and not exists (
        select from server_icons icon where icon.archive_sha256 = servers.archive_sha256
          and icon.folder = servers.source ->> 'folder'
      )
    order by 1, 2 limit ${AT_ONCE}`;
}

/** A function that draws the next few. What cannot be drawn is tried again an hour later. */
export function createMissingIcons(
  { sql, log, icons }: MissingIconsDeps,
): () => Promise<void> {
  let resting = 0;
  let place = BEGINNING;

  async function draw(source: Source): Promise<void> {
    try {
      const archive = await loadArchive(sql, source.archive_sha256);
      if (archive === null) return;
      await icons.prepare(source, await readArchive(archive, source.folder));
    } catch (error) {
      log.warn("icon.failed", { error });
    }
  }

  return async () => {
    if (resting > 0) {
      resting--;
      return;
    }
    const sources = await sourcesAfter(sql, place);
    for (const source of sources) await draw(source);
    place = sources.at(-1) ?? BEGINNING;
    if (sources.length === 0) resting = RESTING;
  };
}
