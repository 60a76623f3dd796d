/**
 * A failure at a known file.
 *
 * @module
 */

/** What was thrown while a thread looked at `file`. */
export class FileError extends Error {
  /** @param reason Name and message of what was thrown. */
  constructor(readonly file: string, reason: string) {
    super(reason);
    this.name = "FileError";
  }
}
