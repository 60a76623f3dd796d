/**
 * The failures of kept values. None shows a value.
 *
 * @module
 */
import { AppError, forbidden } from "../errors.ts";

const MAX_SHOWN_NAME = 100;

/** The operator has set no `SECRETS_KEY`. */
export function nothingKept(): AppError {
  return new AppError(
    "conflict",
    "This service keeps no values: its operator has not set SECRETS_KEY. Pass them for each session",
  );
}

export function noSuchServer(name: string): AppError {
  return new AppError(
    "not_found",
    `Server "${name.slice(0, MAX_SHOWN_NAME)}" was not found`,
  );
}

/** There is no kept value of this name. */
export function noSuchValue(server: string, name: string): AppError {
  const shown = name.slice(0, MAX_SHOWN_NAME);
  return new AppError("not_found", `No value of ${shown} is kept for the server "${server}"`);
}

export function noSuchVariable(server: string, name: string): AppError {
  return new AppError("invalid_request", `The server "${server}" takes no variable ${name}`, {
    errors: [{ path: "variable", message: "must be a variable of the server" }],
  });
}

/** @param fault What is wrong with it, as a predicate. */
export function valueRefused(name: string, fault: string): AppError {
  return new AppError("invalid_request", `The value of ${name} ${fault}`, {
    errors: [{ path: "value", message: fault }],
  });
}

export function tooManyValues(limit: number): AppError {
  return new AppError("conflict", `You have the maximum of ${limit} kept values`);
}

/** A value would take the place of tokens that their service believes to be in use. */
export function isConnected(name: string, service: string): AppError {
  return new AppError(
    "conflict",
    `${name} is connected to ${service}. Disconnect it before you enter a value`,
  );
}

/** What was agreed to is not what the server does now. */
export function termsChanged(server: string): AppError {
  return new AppError(
    "conflict",
    `"${server}" has changed what it does with values since you saw it. Look again, then repeat it`,
  );
}

/** Only owners give values to all users of a server. */
export function notForEveryone(server: string): AppError {
  return forbidden(
    "owner",
    `Only the owner of "${server}" or an administrator can keep values for all its users`,
  );
}
