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
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
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

/**
 * Whether a list was sent as a text: the driver asks each new connection for the types of lists, and
 * sends what waits all the same where the server ends meanwhile.
 */
function isWithoutTypes(error: unknown): boolean {
  return databaseErrorCode(error) === "22P02" && error instanceof Error &&
    error.message.startsWith("malformed array literal");
}

/** Whether `error` means that the database cannot be reached now, so that a request is to be retried. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseError || isWithoutTypes(error)) return true;
  const code = databaseErrorCode(error);
  return code !== null && UNAVAILABLE.has(code);
}

const DISK_FULL = "53100";
// A standby; the embedded database while little room is left.
const READ_ONLY = "25006";

/** Whether `error` means that the disk of the database is full. */
export function isDiskFull(error: unknown): boolean {
  return databaseErrorCode(error) === DISK_FULL;
}

/** Whether `error` means that nothing can be written now, be it for want of room. */
export function isDatabaseFull(error: unknown): boolean {
  return isDiskFull(error) || databaseErrorCode(error) === READ_ONLY;
}

/** Whether `error` is a violation of a unique constraint (SQLSTATE 23505). */
export function isUniqueViolation(error: unknown): boolean {
  return databaseErrorCode(error) === "23505";
}
