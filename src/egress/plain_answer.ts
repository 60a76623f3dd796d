/**
 * An answer without its compression, so that what is in it can be found.
 *
 * @module
 */
import { promisify } from "node:util";
import zlib from "node:zlib";
import { ANSWER_MAX_BYTES } from "./session_limits.ts";
import type { EgressFailure, EgressResponse } from "./types.ts";

const BOUND = { maxOutputLength: ANSWER_MAX_BYTES };
const gunzip = promisify(zlib.gunzip) as (b: Uint8Array, o: typeof BOUND) => Promise<Uint8Array>;
const inflate = promisify(zlib.inflate) as typeof gunzip;
const inflateRaw = promisify(zlib.inflateRaw) as typeof gunzip;
const brotli = promisify(zlib.brotliDecompress) as typeof gunzip;

const DECODERS: Record<string, (body: Uint8Array) => Promise<Uint8Array>> = {
  "identity": (body) => Promise.resolve(body),
  "gzip": (body) => gunzip(body, BOUND),
  "x-gzip": (body) => gunzip(body, BOUND),
  "deflate": (body) => inflate(body, BOUND).catch(() => inflateRaw(body, BOUND)),
  "br": (body) => brotli(body, BOUND),
};
/** Layers of compression that are undone. */
const LAYERS_MAX = 3;

function fail(message: string): EgressFailure {
  return { kind: "error", error: "protocol", message };
}

/** What the header `name` lists. */
function listed({ headers }: EgressResponse, name: string): string[] {
  return headers.filter(([one]) => one.toLowerCase() === name)
    .flatMap(([, value]) => value.toLowerCase().split(",").map((one) => one.trim()))
    .filter((one) => one !== "");
}

/** The answer with a plain body. It was asked for so; some services compress all the same. */
export async function plainAnswer(
  response: EgressResponse,
): Promise<EgressResponse | EgressFailure> {
  const codings = listed(response, "content-encoding");
  // Asked for by nobody, and undone by nobody.
  if (listed(response, "transfer-encoding").some((one) => one !== "chunked")) {
    return refuse(response, "has an unknown transfer coding");
  }
  if (codings.length === 0 || response.body.byteLength === 0) return response;
  let { body } = response;
  if (codings.length > LAYERS_MAX) return refuse(response, "is compressed too many times");
  for (const coding of codings.toReversed()) {
    const decode = DECODERS[coding];
    if (decode === undefined) return refuse(response, "has an unknown compression");
    try {
      body = await decode(body);
    } catch {
      return refuse(response, "could not be decompressed");
    }
  }
  const headers = response.headers.filter(([name]) => !/^content-(encoding|length)$/i.test(name));
  return { ...response, headers, body: new Uint8Array(body) };
}

function refuse({ release }: EgressResponse, why: string): EgressFailure {
  release?.();
  return fail(`The response ${why}, so it cannot be searched for the secrets that were sent`);
}
