/**
 * The failures of leaving.
 *
 * @module
 */
import { AppError, forbidden } from "../errors.ts";

/** What was typed is not the caller's username. */
export function notConfirmed(): AppError {
  return new AppError("invalid_request", "Type your username to delete your account", {
    errors: [{ path: "username", message: "must be your username" }],
  });
}

/** A script's token may not do what only a person should. */
export function notByApiToken(): AppError {
  return forbidden(
    "recent sign-in",
    "An API token cannot delete the account. Sign in, and do it there",
  );
}

/** An application that a user has allowed to publish has not been allowed this. */
export function notByApplication(): AppError {
  return forbidden(
    "recent sign-in",
    "An application cannot delete the account. Sign in at this registry, and do it there",
  );
}

/** Why scans of the account's servers end. */
export function ownerDeleted(): AppError {
  return new AppError("conflict", "The account that started this scan was deleted");
}
