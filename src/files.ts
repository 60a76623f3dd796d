/**
 * Files that are there whole or not at all, whoever else reads and writes.
 *
 * @module
 */
import { dirname } from "node:path";

/** Whether something is at `path`. */
export async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** The text of `path`, or null when there is no such file. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Writes `bytes` and has them on the disk before it returns. */
export async function writeDurably(
  path: string,
  bytes: Uint8Array,
  options: Deno.OpenOptions = { create: true, truncate: true },
): Promise<void> {
  using file = await Deno.open(path, { write: true, ...options });
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
  await file.sync();
}

/** Writes beside `path` and renames the file there, so that readers see all of it or none. */
export async function writeWhole(
  path: string,
  content: string | Uint8Array,
  { mode, folderMode = 0o755 }: { mode: number; folderMode?: number },
): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: folderMode });
  const beside = `${path}.${crypto.randomUUID()}.new`;
  try {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await writeDurably(beside, bytes, { createNew: true, mode });
    await Deno.rename(beside, path);
  } catch (error) {
    await Deno.remove(beside).catch(() => {});
    throw error;
  }
}

/**
 * Does `work` while no other process and nobody else here holds the lock file at `path`. The system
 * frees it when a process ends, however it ends.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  using file = await Deno.open(path, { write: true, create: true, mode: 0o600 });
  await file.lock(true);
  return await work();
}
