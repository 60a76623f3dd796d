/**
 * Small files that must never be half written.
 *
 * @module
 */
import { dirname } from "node:path";

/** The text of `path`, or null when there is no such file. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Writes `text` beside `path` and renames it there, so that readers see all of it or none. */
export async function writeWhole(
  path: string,
  text: string,
  { mode, folderMode }: { mode: number; folderMode?: number },
): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: folderMode ?? 0o755 });
  const beside = `${path}.${crypto.randomUUID()}.new`;
  try {
    const file = await Deno.open(beside, { write: true, createNew: true, mode });
    try {
      let rest = new TextEncoder().encode(text);
      while (rest.length > 0) rest = rest.subarray(await file.write(rest));
      await file.syncData();
    } finally {
      file.close();
    }
    await Deno.rename(beside, path);
  } catch (error) {
    await Deno.remove(beside).catch(() => {});
    throw error;
  }
}

/**
 * Does `work` while no other process and nobody else here holds the lock of `path`, a file beside
 * it. The system frees it when a process ends, however it ends.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  using file = await Deno.open(`${path}.lock`, { write: true, create: true, mode: 0o600 });
  await file.lock(true);
  return await work();
}
