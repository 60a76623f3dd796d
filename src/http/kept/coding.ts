/**
 * Content codings of responses (RFC 9110, 12.5.3).
 *
 * @module
 */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A coding that bodies are sent in; the first that a client accepts is used. */
export type Coding = "br" | "gzip";

/** Shorter ones gain nothing. */
const MIN_BYTES = 1024;
/** Beyond it brotli takes several times as long for a few percent. */
const BROTLI_QUALITY = 5;

const compressors: Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  br: async (bytes) =>
    await promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: async (bytes) => await promisify(gzip)(bytes),
};

const CODINGS = Object.keys(compressors) as Coding[];

/** The quality that `Accept-Encoding` gives each coding; `*` is all that it does not name. */
function qualities(accepted: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((one) => one.trim());
    const quality = parameters.find((one) => one.startsWith("q="));
    found.set(name, quality === undefined ? 1 : Number(quality.slice(2)) || 0);
  }
  return found;
}

/** The coding that a client that sent `accepted` likes best, for a body of `bytes`; null for none. */
export function codingFor(accepted: string | undefined, bytes: number): Coding | null {
  if (accepted === undefined || bytes < MIN_BYTES) return null;
  const given = qualities(accepted);
  const liked = (coding: string) => given.get(coding) ?? given.get("*") ?? 0;
  const plain = given.get("identity") ?? 0;
  const usable = CODINGS.filter((coding) => liked(coding) > 0 && liked(coding) >= plain);
  return usable.toSorted((a, b) => liked(b) - liked(a))[0] ?? null;
}

/** `bytes` in `coding`. */
export async function encode(
  bytes: Uint8Array,
  coding: Coding,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await compressors[coding](bytes));
}
