/**
 * Images that nodes made, for the parked sessions that began with them: another node gets them from
 * the database, sealed, and only what has the digest that is sealed with the session.
 *
 * @module
 */
import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";
import { concat } from "../../bytes.ts";
import type { Logger } from "../../log.ts";
import { IMAGE_MAX_BYTES, type ImageContent } from "../images/content.ts";
import type { ImageStore } from "../images/types.ts";
import type { Clock } from "../clock.ts";
import type { ImageRows } from "./image_rows.ts";
import type { Sealer } from "./sealer.ts";

export interface SharedImagesDeps {
  rows: ImageRows;
  sealer: Sealer;
  /** The images of this node. */
  images: Pick<ImageStore, "named" | "content" | "receive">;
  /** Most bytes of all that is parked in the database. */
  maxBytes: number;
  clock: Pick<Clock, "date">;
  log: Logger;
}

/** Hands images from node to node. */
export interface SharedImages {
  /** Sees to it that other nodes can get it; `image`: it is not here any more. */
  put(digest: string): Promise<"stored" | "full" | "image">;
  /** Gets it from the database; false when it is not there, or of no use here. */
  get(digest: string): Promise<boolean>;
  prune(now: Date): Promise<void>;
}

/** Share of the room that images may have. */
const IMAGES_SHARE = 0.5;
const FRONT = 4;

/** The largest row that is read. */
export const STORED_IMAGE_MAX_BYTES = IMAGE_MAX_BYTES + 16 * 1024 * 1024;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const contextOf = (digest: string) => JSON.stringify(["image of parked sessions", digest]);

/** The length of the description, the description, the rest. */
async function pack({ description, bytes }: ImageContent): Promise<Uint8Array> {
  const text = new TextEncoder().encode(description);
  const front = new Uint8Array(FRONT);
  new DataView(front.buffer).setUint32(0, text.length, true);
  return await compress(concat([front, text, bytes]));
}

/** What {@link pack} made. */
async function unpack(packed: Uint8Array): Promise<ImageContent> {
  const { buffer, byteOffset, byteLength } = await decompress(packed, {
    maxOutputLength: IMAGE_MAX_BYTES,
  });
  const plain = new Uint8Array(buffer, byteOffset, byteLength);
  const length = new DataView(buffer, byteOffset, byteLength).getUint32(0, true);
  const description = new TextDecoder().decode(plain.subarray(FRONT, FRONT + length));
  return { description, bytes: plain.subarray(FRONT + length) };
}

/** Does `work` once for all that ask for the same while it goes on. */
function together<T>(work: (digest: string) => Promise<T>): (digest: string) => Promise<T> {
  const going = new Map<string, Promise<T>>();
  return (digest) => {
    const found = going.get(digest) ?? work(digest).finally(() => going.delete(digest));
    going.set(digest, found);
    return found;
  };
}

/** Images over `deps.rows`. */
export function createSharedImages(deps: SharedImagesDeps): SharedImages {
  const { rows, sealer, images, maxBytes, clock, log } = deps;
  const bounds = { maxBytes, maxImageBytes: IMAGES_SHARE * maxBytes };
  return {
    put: together(async (digest) => {
      if (await rows.renew(digest, sealer.keyId, clock.date())) return "stored";
      const name = images.named(digest);
      const content = name === null ? null : await images.content(name);
      if (content === null) return "image";
      const sealed = await sealer.seal(await pack(content), contextOf(digest));
      return await rows.put(digest, { keyId: sealer.keyId, sealed }, bounds, clock.date());
    }),

    get: together(async (digest) => {
      const stored = await rows.read(digest);
      if (stored === null) return false;
      const plain = await sealer.open(stored.sealed, contextOf(digest), stored.keyId);
      try {
        if (plain === null) throw new Error("It is damaged, or sealed with another key");
        await images.receive(digest, await unpack(plain));
        log.info("image.received", { digest });
        return true;
      } catch (error) {
        log.warn("image.not_received", { digest, error });
        return false;
      }
    }),

    prune: (now) => rows.prune(now),
  };
}
