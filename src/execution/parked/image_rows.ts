/**
 * Rows of the images that parked sessions need, in the database.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import { insertParts, readParts } from "./parts.ts";

/** What is in the rows of an image: nobody without the key can read it. */
export interface SealedImage {
  /** Key that it was sealed with. */
  keyId: string;
  sealed: Uint8Array<ArrayBuffer>;
}

/** Most bytes in the database. */
export interface ImageBounds {
  /** Of images and sessions. */
  maxBytes: number;
  /** Of images. */
  maxImageBytes: number;
}

/** Where the rows are kept, each by the digest of its image. */
export interface ImageRows {
  /** Notes that a session needs it; false when it is not there under that key. */
  renew(digest: string, keyId: string, now: Date): Promise<boolean>;
  put(
    digest: string,
    image: SealedImage,
    bounds: ImageBounds,
    now: Date,
  ): Promise<"stored" | "full">;
  has(digest: string): Promise<boolean>;
  read(digest: string): Promise<SealedImage | null>;
  /** Removes those that no stored session needs. */
  prune(now: Date): Promise<void>;
}

/** Between storing an image and the session that needs it less time passes by far. */
const KEPT_MS = 60 * 60_000;

/** The rows in the database of `sql`; none larger than `mostBytes` is read. */
export function imageRows(sql: Sql, mostBytes: number): ImageRows {
  return {
    async renew(digest, keyId, now) {
      const { count } = await sql`
        update parked_images set used_at = ${now} where id = ${digest} and key_id = ${keyId}`;
      return count > 0;
    },

    put: (digest, { keyId, sealed }, { maxBytes, maxImageBytes }, now) =>
      sql.begin(async (tx): Promise<"stored" | "full"> => {
        const [sums] = await tx<[{ images: number; sessions: number }]>`
          select
            (select coalesce(sum(size), 0) from parked_images where id <> ${digest})::float8
              as images,
            (select coalesce(sum(size), 0) from parked_sessions)::float8 as sessions`;
        const images = sums.images + sealed.length;
        if (images > maxImageBytes || images + sums.sessions > maxBytes) return "full";
        await tx`delete from parked_images where id = ${digest} and key_id <> ${keyId}`;
        const { count } = await tx`
          insert into parked_images (id, key_id, size, used_at)
          values (${digest}, ${keyId}, ${sealed.length}, ${now}) on conflict do nothing`;
        // Another node was first.
        if (count > 0) await insertParts(tx, "parked_image_parts", digest, sealed);
        return "stored";
      }),

    async has(digest) {
      const found = await sql`select 1 from parked_images where id = ${digest}`;
      return found.length > 0;
    },

    async read(digest) {
      const [found] = await sql<{ keyId: string; size: number }[]>`
        select key_id as "keyId", size::float8 as size from parked_images where id = ${digest}`;
      if (found === undefined || found.size > mostBytes) return null;
      const sealed = await readParts(sql, "parked_image_parts", digest, found.size);
      return { keyId: found.keyId, sealed };
    },

    async prune(now) {
      await sql`
        delete from parked_images i
        where used_at < ${new Date(now.getTime() - KEPT_MS)}
          and not exists (select 1 from parked_sessions p where p.image = i.id)`;
    },
  };
}
