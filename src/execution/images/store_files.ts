/**
 * The files of stored images, and how they are known again.
 *
 * @module
 */
import { z } from "zod";
import { sha256Of } from "../../bytes.ts";
import { readIfThere } from "../../files.ts";

/** Session hosts, which have another user, read them. */
export const FILE_MODE = 0o644;

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

/** How a file is known again. */
export async function partOf(bytes: Uint8Array): Promise<Stored["pages"]> {
  return { bytes: bytes.length, digest: await sha256Of(bytes) };
}

/** Removes a file, which may be gone already. */
export async function removeIfThere(path: string): Promise<void> {
  await Deno.remove(path).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

/** A file and what it is read as; null when it is not there, or nothing that this version wrote. */
export async function readJson<T>(
  path: string,
  schema: z.ZodType<T>,
): Promise<{ text: string; read: T } | null> {
  const text = await readIfThere(path);
  try {
    return text === null ? null : { text, read: schema.parse(JSON.parse(text)) };
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

/** The files of an image whose pages are at `path`. */
export function filesOf(path: string, { files }: Stored): string[] {
  return files === null ? [path] : [path, `${path}.files`];
}

/** Bytes that the files of an image take. */
export function sizeOf({ pages, files }: Pick<Stored, "pages" | "files">): number {
  return pages.bytes + (files?.bytes ?? 0);
}
