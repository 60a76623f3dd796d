/**
 * The failures of the database that pass with time.
 *
 * @module
 */
import { AppError } from "../errors.ts";
import { isDatabaseFull, isDatabaseUnavailable, isDiskFull } from "./errors.ts";

/** What `error` means for a caller; null when it does not come from the state of the database. */
export function databaseFailure(error: unknown): AppError | null {
  if (isDatabaseUnavailable(error)) {
    return new AppError("unavailable", "The database is unavailable. Try again in a moment", {
      retryAfter: 5,
      cause: error,
    });
  }
  if (isDiskFull(error)) {
    return new AppError("unavailable", "The storage is full. Try again later", {
      retryAfter: 60,
      cause: error,
    });
  }
  if (isDatabaseFull(error)) {
    const message = "Nothing can be changed at present, only read. Try again in a moment";
    return new AppError("unavailable", message, { retryAfter: 5, cause: error });
  }
  return null;
}
