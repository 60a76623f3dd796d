/**
 * The files of stored images, and how they are known again.
 *
 * @module
 */
import { z } from "zod";
import { readIfThere } from "../../files.ts";

const part = z.object({ bytes: z.int().min(0), digest: z.string() });
const names = z.array(z.string());

/** What is kept of an image beside its files. */
export const stored = z.object({
  /** The snapshot that it differs from: of no use with another. */
  base: z.string(),
  packages: names,
  modules: names,
  /** The set of own packages of the servers that it is for; null for any. */
  own: z.string().nullable().default(null),
  reads: names,
  pages: part,
  files: part.nullable(),
});
export type Stored = z.infer<typeof stored>;

/** What became of a set of packages and modules, by its key. */
export const outcome = z.object({
  base: z.string(),
  /** The image of it, or of as much as may be in one; null for none. */
  image: z.string().nullable(),
  /** By module, or `image` for all: why it is not in it. */
  reasons: z.record(z.string(), z.string()),
  /** When it is worth another try, in milliseconds; null: not with this interpreter. */
  again: z.number().nullable(),
});
/** SHA-256 as lower-case hex. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return new Uint8Array(digest).toHex();
}

/** How a file is known again. */
export async function partOf(bytes: Uint8Array): Promise<Stored["pages"]> {
  return { bytes: bytes.length, digest: await sha256(bytes) };
}

/** Removes a file, which may be gone already. */
export async function removeIfThere(path: string): Promise<void> {
  await Deno.remove(path).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

/** What a file is read as; null when it is not there, or nothing that this version wrote. */
export async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readIfThere(path);
  try {
    return text === null ? null : schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** What tells whether files are still those that were checked. */
export async function stateOf(paths: readonly string[]): Promise<string> {
  const found = paths.map(async (path) => {
    const { ino, size, mtime, ctime } = await Deno.stat(path);
    return [ino, size, mtime?.getTime(), ctime?.getTime()];
  });
  return JSON.stringify(await Promise.all(found));
}
