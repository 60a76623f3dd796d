/**
 * Icons of servers. A stranger's image is decoded and drawn in a process of its own, which is ended
 * when it takes too long or too much; what comes of it are plain pixels, of which an image is written
 * here. It is kept with the archive, also that there is none.
 *
 * @module
 */
import { z } from "zod";
import type { Queryable, Sql } from "../database/client.ts";
import { databaseErrorCode } from "../database/errors.ts";
import type { Logger } from "../log.ts";
import { readable, type Viewer } from "../access/rule.ts";
import type { RepositoryFiles } from "../repository/archive.ts";
import type { Analysis } from "../scan/analysis/analysis.ts";
import { pngOf } from "./png.ts";
import type { Source } from "./readme_store.ts";

/** Pixels of an icon's side. */
const SIDE = 64;
const RGBA_BYTES = SIDE * SIDE * 4;
const DEADLINE_MS = 8_000;
/** Icons that may wait or be worked on; past them nothing is begun. */
const MOST = 20;
const FOREIGN_KEY_VIOLATION = "23503";

/** What may be an icon or name one, with the most bytes that are looked at. */
const LOOKED_AT: readonly [pattern: RegExp, bytes: number][] = [
  [/^(?:[^/]+\/){0,2}[^/]+\.(?:png|svg|jpe?g|gif)$/i, 512 * 1024],
  [/^(?:berth|manifest|server|package)\.json$/, 256 * 1024],
  [/^(?:[^/]+\/){0,2}[^/]+\.(?:py|ts|js|mjs)$/, 256 * 1024],
];
const MAX_FILES = 200;
const MAX_BYTES = 8 * 1024 * 1024;

const Drawn = z.object({ rgba: z.base64().max(RGBA_BYTES * 2).nullable() });

export interface IconsDeps {
  sql: Sql;
  log: Logger;
  /** Ends each process after its work, so that no image meets another. */
  analysis: Pick<Analysis, "run">;
}

/** Draws icons in an analysis host, and keeps them by source. */
export interface Icons {
  /** Draws the icon of a source, unless that was done. Never rejects. */
  prepare(source: Source, files: RepositoryFiles): Promise<void>;
  /** Waits for what is at work, which ends with the analysis. */
  close(): Promise<void>;
}

function telling(files: RepositoryFiles): Map<string, Uint8Array> {
  let left = MAX_BYTES;
  const found = [...files].filter(([path, { length }]) => {
    const isLookedAt = LOOKED_AT.some(([pattern, bytes]) => length <= bytes && pattern.test(path));
    if (!isLookedAt || length > left) return false;
    left -= length;
    return true;
  });
  return new Map(found.slice(0, MAX_FILES));
}

async function isKept(sql: Sql, { archive_sha256, folder }: Source): Promise<boolean> {
  const rows = await sql`
    select 1 from server_icons where archive_sha256 = ${archive_sha256} and folder = ${folder}`;
  return rows.length > 0;
}

async function digestOf(png: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", png)).toHex().slice(0, 24);
}

/** Keeps an icon as long as its archive is stored. */
export async function keepIcon(
  sql: Queryable,
  { archive_sha256, folder }: Source,
  png: Uint8Array<ArrayBuffer> | null,
): Promise<void> {
  try {
    await sql`
      insert into server_icons (archive_sha256, folder, png, digest)
      values (${archive_sha256}, ${folder}, ${png}, ${png === null ? null : await digestOf(png)})
      on conflict do nothing`;
  } catch (error) {
    // The archive has been removed, and its icon with it.
    if (databaseErrorCode(error) !== FOREIGN_KEY_VIOLATION) throw error;
  }
}

/** By what pages name the icon of a source; null where it has none, or none is drawn yet. */
export async function findIconDigest(
  sql: Queryable,
  { archive_sha256, folder }: Source,
): Promise<string | null> {
  const [row] = await sql<{ digest: string | null }[]>`
    select digest from server_icons where archive_sha256 = ${archive_sha256} and folder = ${folder}`;
  return row?.digest ?? null;
}

/** The image that pages name by its digest; null when no server has it that `viewer` may read. */
export async function findIcon(
  sql: Queryable,
  digest: string,
  viewer: Viewer,
): Promise<{ png: Uint8Array; isPublic: boolean } | null> {
  if (!/^[0-9a-f]{24}$/.test(digest)) return null;
  const [row] = await sql<{ png: Uint8Array; isPublic: boolean }[]>`
    select png, visibility = 'public' as "isPublic"
    from server_icons icon join servers on servers.archive_sha256 = icon.archive_sha256
      and source ->> 'folder' = icon.folder
    where digest = ${digest} and ${readable(sql, viewer)}
    order by visibility = 'public' desc limit 1`;
  return row ?? null;
}

export function createIcons({ sql, log, analysis }: IconsDeps): Icons {
  const pending = new Set<Promise<void>>();

  /** Undefined where the process ended before it could say anything. */
  async function draw(files: RepositoryFiles): Promise<Uint8Array<ArrayBuffer> | null | undefined> {
    const looked = telling(files);
    if (looked.size === 0) return null;
    const outcome = await analysis.run(
      { analyser: "icon", lang: "python", entrypoint: "", files: looked },
      { deadlineMs: DEADLINE_MS },
    );
    if (outcome.kind === "failed") {
      log.info("icon.not_drawn", { code: outcome.code });
      return outcome.code === "crashed" ? undefined : null;
    }
    const drawn = Drawn.safeParse(outcome.result).data?.rgba ?? null;
    if (drawn === null) return null;
    const rgba = Uint8Array.fromBase64(drawn);
    return rgba.length === RGBA_BYTES ? pngOf(rgba, SIDE) : null;
  }

  async function make(source: Source, files: RepositoryFiles): Promise<void> {
    try {
      if (await isKept(sql, source)) return;
      const png = await draw(files);
      if (png !== undefined) await keepIcon(sql, source, png);
    } catch (error) {
      log.warn("icon.failed", { error });
    }
  }

  return {
    async prepare(source, files) {
      if (pending.size >= MOST) return;
      const made = make(source, files);
      pending.add(made);
      await made;
      pending.delete(made);
    },
    close: async () => void await Promise.allSettled(pending),
  };
}
