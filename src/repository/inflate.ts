/**
 * Bounded inflation of an archive.
 *
 * @module
 */
import { createGunzip } from "node:zlib";
import { MAX_INFLATED_BYTES, MAX_RATIO, RATIO_FREE_BYTES } from "./fetch_limits.ts";
import { archiveRefused } from "./failures.ts";

// Small output chunks let the bounds act: DecompressionStream inflates a whole input chunk at once
// and hands over a gigabyte before anything can be counted.
const CHUNK_BYTES = 65_536;

/**
 * The inflated content of `archive`, chunk by chunk.
 *
 * @throws {AppError} `repository_refused` when it is no gzip, ends early, or inflates too far.
 */
export async function* inflate(archive: Uint8Array): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const allowed = Math.max(RATIO_FREE_BYTES, archive.length * MAX_RATIO);
  let total = 0;
  gunzip.end(archive);
  try {
    for await (const chunk of gunzip) {
      total += chunk.length;
      if (total > MAX_INFLATED_BYTES) {
        throw archiveRefused(`it inflates to more than ${MAX_INFLATED_BYTES} bytes`);
      }
      if (total > allowed) {
        throw archiveRefused(`it inflates to more than ${MAX_RATIO} times its size`);
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_")) {
      throw archiveRefused("it is damaged or truncated", error);
    }
    throw error;
  } finally {
    gunzip.destroy();
  }
}
