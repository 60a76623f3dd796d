/**
 * Files that setup leaves behind: whole or not at all, whoever runs at the same time.
 *
 * @module
 */

/** Setup that cannot go on; the message says what to do about it. */
export class SetupError extends Error {
  /** @param message Shown to the operator. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SetupError";
  }
}

/** SHA-256 as lower-case hex. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return new Uint8Array(digest).toHex();
}

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

/** Writes `bytes` and has them on the disk before it returns. */
export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
  await file.sync();
}

/** Writes beside `path` and renames: readers see the old bytes or the new ones. */
export async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  const beside = `${path}.${crypto.randomUUID()}.part`;
  try {
    await writeDurably(beside, bytes);
    await Deno.rename(beside, path);
  } catch (error) {
    await Deno.remove(beside).catch(() => {});
    throw error;
  }
}

/**
 * Runs `body` while no other process runs one with the same lock file. The lock belongs to the
 * process: a crash frees it.
 */
export async function withLock<T>(path: string, body: () => Promise<T>): Promise<T> {
  using file = await Deno.open(path, { write: true, create: true });
  await file.lock(true);
  return await body();
}

/** A {@link SetupError} for a failure to write below `folder`; other errors as they are. */
export function explainWriteError(error: unknown, folder: string): unknown {
  const code = (error as { code?: string } | null)?.code;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new SetupError(
      `The disk is full. Free about 150 MB for ${folder} and try again`,
      { cause: error },
    );
  }
  if (error instanceof Deno.errors.PermissionDenied || code === "EROFS") {
    return new SetupError(
      `Cannot write to ${folder}. Make it writable, or set DATA_DIR to another folder`,
      { cause: error },
    );
  }
  if (code !== undefined && error instanceof Error) {
    return new SetupError(`Cannot prepare ${folder}: ${error.message}`, { cause: error });
  }
  return error;
}
