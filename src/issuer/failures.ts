/**
 * Failures that the issuer's use cases have for callers of the API.
 *
 * @module
 */
import { AppError } from "../errors.ts";

/** @param email The address that has an account. */
export function accountExists(email: string): AppError {
  return new AppError("conflict", `${email} has an account already`);
}

export function accountsElsewhere(): AppError {
  return new AppError("conflict", "Accounts of this registry are at another identity provider");
}
