/**
 * Rows of the images that parked sessions need, in the database.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import { isWithin, parkedBytes, type StoreBounds } from "./bounds.ts";
import { insertParts, readParts } from "./parts.ts";

/** What is in the rows of an image: nobody without the key can read it. */
export interface SealedImage {
  /** Key that it was sealed with. */
  keyId: string;
  sealed: Uint8Array<ArrayBuffer>;
}

/** Most bytes in the database. */
export interface ImageBounds extends StoreBounds {
  /** Of images. */
  maxImageBytes: number;
}

/** Where the rows are kept: an image has one for each key that it was sealed with. */
export interface ImageRows {
  /** Notes that a session needs it; false when it is not there under that key. */
  renew(digest: string, keyId: string, now: Date): Promise<boolean>;
  /** Stores it, once, for a session of `client`. */
  put(
    digest: string,
    image: SealedImage,
    { client, bounds, now }: { client: string; bounds: ImageBounds; now: Date },
  ): Promise<"stored" | "full">;
  /** The keys under which it is there. */
  keysOf(digest: string): Promise<string[]>;
  /** What was sealed with that key. */
  read(digest: string, keyId: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Removes those that no stored session needs. */
  prune(now: Date): Promise<void>;
}

/** Between storing an image and the session that needs it less time passes by far. */
const KEPT_MS = 60 * 60_000;

/** The rows in the database of `sql`; none larger than `mostBytes` is read. */
export function imageRows(sql: Sql, mostBytes: number): ImageRows {
  const idOf = (digest: string, keyId: string) => `${digest} ${keyId}`;
  return {
    async renew(digest, keyId, now) {
      const { count } = await sql`
        update parked_images set used_at = ${now} where id = ${idOf(digest, keyId)}`;
      return count > 0;
    },

    put: (digest, { keyId, sealed }, { client, bounds, now }) =>
      sql.begin(async (tx): Promise<"stored" | "full"> => {
        const parked = await parkedBytes(tx, client);
        const { length } = sealed;
        const fits = isWithin(parked, length, bounds) &&
          parked.images + length <= bounds.maxImageBytes;
        if (!fits) return "full";
        const id = idOf(digest, keyId);
        const { count } = await tx`
          insert into parked_images (id, digest, key_id, client, size, used_at)
          values (${id}, ${digest}, ${keyId}, ${client}, ${length}, ${now})
          on conflict do nothing`;
        // Another node was first.
        if (count > 0) await insertParts(tx, "parked_image_parts", id, sealed);
        return "stored";
      }),

    async keysOf(digest) {
      const found = await sql<{ keyId: string }[]>`
        select key_id as "keyId" from parked_images where digest = ${digest}`;
      return found.map(({ keyId }) => keyId);
    },

    async read(digest, keyId) {
      const id = idOf(digest, keyId);
      const [found] = await sql<{ size: number }[]>`
        select size::float8 as size from parked_images where id = ${id}`;
      if (found === undefined || found.size > mostBytes) return null;
      return await readParts(sql, "parked_image_parts", id, found.size);
    },

    async prune(now) {
      await sql`
        delete from parked_images i
        where used_at < ${new Date(now.getTime() - KEPT_MS)}
          and not exists (select 1 from parked_sessions p where p.image = i.digest)`;
    },
  };
}
