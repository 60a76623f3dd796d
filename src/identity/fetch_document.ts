/**
 * Fetches a small JSON document of the identity provider, bounded in time and size.
 *
 * @module
 */

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 512 * 1024;

async function readBounded(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    // Leaving the loop cancels the body.
    if (size > MAX_BYTES) throw new RangeError(`Document is larger than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

/**
 * The JSON in the body of `response`, whose status is the caller's to check.
 *
 * @throws {Error} When it is too large or not JSON.
 */
export async function readBoundedJson(response: Response): Promise<unknown> {
  return JSON.parse(new TextDecoder().decode(await readBounded(response)));
}

/**
 * The JSON at `url`. Redirects are refused: the address of a trust anchor is what the operator
 * configured or the issuer names, nothing else.
 *
 * @throws {Error} When it is unavailable; the message is for the operator's log.
 */
export async function fetchDocument(fetch: Fetch, url: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: "application/json, application/jwk-set+json" },
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`Expected status 200 from ${url}, got ${response.status}`);
  }
  return await readBoundedJson(response);
}
