/**
 * What setup says when it cannot go on, and how it knows files.
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

/** A {@link SetupError} for a failure to write below `folder`; other errors as they are. */
export function explainWriteError(error: unknown, folder: string): unknown {
  const code = (error as { code?: string } | null)?.code;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new SetupError(
      `The disk is full. Free about 150 MB for ${folder} and try again`,
      { cause: error },
    );
  }
  // Deno keeps its own hands off some folders, such as those of the kernel.
  const isRefused = error instanceof Deno.errors.PermissionDenied ||
    error instanceof Deno.errors.NotCapable;
  if (isRefused || code === "EROFS") {
    return new SetupError(
      `Cannot write to ${folder}. Make it writable, or set DATA_DIR to another folder`,
      { cause: error },
    );
  }
  if (code !== undefined && error instanceof Error) {
    return new SetupError(
      `Cannot prepare ${folder}: ${error.message}. Set DATA_DIR to a folder that can be written to`,
      { cause: error },
    );
  }
  return error;
}
