/**
 * Failures of the database itself, as opposed to failures of a request.
 *
 * @module
 */

/**
 * The database cannot be opened or used. The message is meant for the operator: it names what is
 * wrong and what to do, and holds no password.
 */
export class DatabaseError extends Error {
  /** @param message What is wrong and what to do. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DatabaseError";
  }
}

const UNAVAILABLE = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  // Server shutting down, starting up, or out of connections.
  "57P01",
  "57P02",
  "57P03",
  "53300",
]);

/** The error code of `error`: a SQLSTATE, a postgres.js code or a socket code. */
export function databaseErrorCode(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/** Whether `error` means that the database cannot be reached now, so that a request is to be retried. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseError) return true;
  const code = databaseErrorCode(error);
  return code !== null && UNAVAILABLE.has(code);
}

// A full disk; a database that takes no writes: the embedded one while little room is left.
const NO_ROOM = new Set(["53100", "25006"]);

/** Whether `error` means that nothing can be written now, because there is no room. */
export function isDatabaseFull(error: unknown): boolean {
  return NO_ROOM.has(databaseErrorCode(error) ?? "");
}

/** Whether `error` is a violation of a unique constraint (SQLSTATE 23505). */
export function isUniqueViolation(error: unknown): boolean {
  return databaseErrorCode(error) === "23505";
}
