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
import { createBoots } from "../hosts/boots.ts";
import type { ImageRows } from "./image_rows.ts";
import type { StoreBounds } from "./bounds.ts";
import type { Sealer } from "./sealer.ts";

export interface SharedImagesDeps {
  rows: ImageRows;
  sealer: Sealer;
  /** The images of this node. */
  images: Pick<ImageStore, "named" | "use" | "content" | "receive">;
  bounds: StoreBounds;
  clock: Pick<Clock, "date" | "now">;
  log: Logger;
}

/** What came of asking for an image: it is `here`, nowhere, or worth asking for again. */
export type Fetched = "here" | "absent" | "later";

/** Hands images from node to node. */
export interface SharedImages {
  /** Sees to it that other nodes can get it, for a session of `client`; `image`: it is gone. */
  put(digest: string, client: string): Promise<"stored" | "full" | "image">;
  /** Gets it from the database, for a session of `client`. */
  get(digest: string, client: string): Promise<Fetched>;
  prune(now: Date): Promise<void>;
}

/** Share of the room that images may have. */
const IMAGES_SHARE = 0.5;
/** After so long, what failed is tried again. */
const AGAIN_MS = 60_000;
const FAILED_MAX = 1000;
/** The longest that one keeps the others waiting. */
const TURN_MS = 60_000;
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

/** Does `work` once for all that ask for the same while it goes on, and remembers what failed. */
function together<T>(
  work: (digest: string, client: string) => Promise<T>,
  hasFailed: (outcome: T) => boolean,
  clock: Pick<Clock, "now">,
): (digest: string, client: string) => Promise<T> {
  // An image is in memory several times over: one after the other, by turns of those who ask.
  const turns = createBoots(1, TURN_MS);
  const going = new Map<string, Promise<T>>();
  const failed = new Map<string, { outcome: T; until: number }>();
  return (digest, client) => {
    const before = failed.get(digest);
    if (before !== undefined && clock.now() < before.until) return Promise.resolve(before.outcome);
    const found = going.get(digest) ?? turns.run(client, async () => {
      const outcome = await work(digest, client);
      if (failed.size >= FAILED_MAX) failed.clear();
      if (hasFailed(outcome)) failed.set(digest, { outcome, until: clock.now() + AGAIN_MS });
      else failed.delete(digest);
      return outcome;
    }).finally(() => going.delete(digest));
    going.set(digest, found);
    return found;
  };
}

/** Images over `deps.rows`. */
export function createSharedImages(deps: SharedImagesDeps): SharedImages {
  const { rows, sealer, images, bounds, clock, log } = deps;
  const imageBounds = { ...bounds, maxImageBytes: IMAGES_SHARE * bounds.maxBytes };

  async function put(digest: string, client: string) {
    const { keyId } = sealer;
    if (await rows.renew(digest, keyId, clock.date())) return "stored";
    const name = images.named(digest);
    const content = name === null ? null : await images.content(name);
    if (content === null) return "image";
    const sealed = await sealer.seal(await pack(content), contextOf(digest));
    const options = { client, bounds: imageBounds, now: clock.date() };
    return await rows.put(digest, { keyId, sealed }, options);
  }

  /** What is stored under the digest; null when there is nothing, or it is damaged. */
  async function read(digest: string): Promise<ImageContent | null> {
    const keyId = (await rows.keysOf(digest)).find((id) => sealer.has(id));
    if (keyId === undefined) return null;
    const sealed = await rows.read(digest, keyId);
    const plain = sealed && await sealer.open(sealed, contextOf(digest), keyId);
    return plain === null ? null : await unpack(plain).catch(() => null);
  }

  async function get(digest: string): Promise<Fetched> {
    const content = await read(digest);
    try {
      if (content === null) throw new Error("It is not stored, or damaged");
      await images.receive(digest, content);
      log.info("image.received", { digest });
      return "here";
    } catch (error) {
      log.warn("image.not_received", { digest, error });
      // There may be room later.
      return error instanceof RangeError ? "later" : "absent";
    }
  }

  return {
    put: together(put, (outcome) => outcome === "full", clock),
    get: together(get, (outcome) => outcome !== "here", clock),
    prune: (now) => rows.prune(now),
  };
}
