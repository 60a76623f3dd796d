/**
 * The failures of names.
 *
 * @module
 */
import { AppError, forbidden } from "../errors.ts";

/** Others keep taking the names that are tried. */
export function noFreeUsername(): AppError {
  return new AppError("unavailable", "No free username could be found. Try again", {
    retryAfter: 1,
  });
}

/** @param other Null where it is not for everybody to know. */
export function serverLooksAlike(name: string, other: string | null): AppError {
  const what = other === null ? "one that" : `"${other}", which`;
  return new AppError(
    "conflict",
    `The name "${name}" looks too much like ${what} belongs to another user`,
  );
}

export function authorTaken(author: string): AppError {
  return forbidden("namespace owner", `The author "${author}" belongs to another user`);
}

export function authorLooksAlike(author: string, other: string): AppError {
  return forbidden(
    "namespace owner",
    `The author "${author}" looks too much like "${other}", which belongs to another user`,
  );
}
