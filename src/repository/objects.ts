/**
 * Archives in a store of objects that speaks S3's API, each under its digest.
 *
 * @module
 */
import { AwsClient } from "aws4fetch";
import { sha256Of } from "../bytes.ts";

/** Where objects are kept. A store that does not work throws. */
export interface ArchiveObjects {
  put(sha256: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The object, which has `size` bytes; null when it is not there, or is another. */
  get(sha256: string, size: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Removing what is not there is no failure. */
  remove(sha256: string): Promise<void>;
}

export interface ObjectSettings {
  /** Address of the bucket in path style, with a prefix or without: `https://s3.example/bucket/berth`. */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const TIMEOUT_MS = 60_000;
const RETRIES = 3;

/** At most `size` bytes of `response`; null where it has another number. */
async function bytesOf(
  response: Response,
  size: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = new Uint8Array(size);
  let read = 0;
  for await (const part of response.body ?? []) {
    if (read + part.length > size) return null;
    bytes.set(part, read);
    read += part.length;
  }
  return read === size ? bytes : null;
}

/** Objects in the bucket that `settings` name. */
export function s3Objects({ url, ...credentials }: ObjectSettings): ArchiveObjects {
  const client = new AwsClient({ ...credentials, service: "s3", retries: RETRIES });

  async function send(method: string, sha256: string, init: RequestInit = {}): Promise<Response> {
    const response = await client.fetch(`${url}/archives/${sha256}`, {
      ...init,
      method,
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok || response.status === 404) return response;
    await response.body?.cancel();
    throw new Error(`The store of archives answered ${method} with ${response.status}`);
  }

  return {
    async put(sha256, bytes) {
      const response = await send("PUT", sha256, {
        body: bytes,
        headers: {
          "content-type": "application/gzip",
          // The store refuses what arrives otherwise.
          "x-amz-content-sha256": await sha256Of(bytes),
        },
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error("The bucket for archives does not exist");
    },
    async get(sha256, size) {
      const response = await send("GET", sha256);
      if (!response.ok) {
        await response.body?.cancel();
        return null;
      }
      const bytes = await bytesOf(response, size);
      return bytes !== null && await sha256Of(bytes) === sha256 ? bytes : null;
    },
    async remove(sha256) {
      await (await send("DELETE", sha256)).body?.cancel();
    },
  };
}
