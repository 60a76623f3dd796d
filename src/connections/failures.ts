/**
 * The failures of connections. None shows a token, a code or a secret.
 *
 * @module
 */
import { AppError, forbidden } from "../errors.ts";

const WAIT_SECONDS = 10;
const MAX_SHOWN_NAME = 100;

/** Nobody signs in anywhere for this variable. */
export function notConnectable(server: string, name: string): AppError {
  const shown = name.slice(0, MAX_SHOWN_NAME);
  return new AppError("not_found", `"${server}" has no sign-in at another service for ${shown}`);
}

/** Berth is not registered at the service. */
export function noClientThere(service: string): AppError {
  return new AppError(
    "conflict",
    `This service is not registered at ${service} yet. The server's owner does that, on the page ` +
      "Manage",
  );
}

export function noClientStored(server: string, name: string): AppError {
  return new AppError("not_found", `"${server}" has no client of its own for ${name}`);
}

/** @param why As a predicate; it names no inner address. */
export function serviceUnusable(service: string, why: string): AppError {
  return new AppError("conflict", `${service} cannot be used for a sign-in: it ${why}`);
}

export function serviceUnreachable(service: string, cause: unknown): AppError {
  return new AppError(
    "unavailable",
    `${service} could not be reached, or sent an invalid response. Nothing was changed`,
    { retryAfter: WAIT_SECONDS, cause },
  );
}

export function tooManyConnections(retryAfter: number): AppError {
  return new AppError("rate_limited", "Too many sign-ins at other services. Try again later", {
    retryAfter,
    limit: "connections",
  });
}

/** @param why As a sentence without a full stop. */
export function connectionRefused(why: string): AppError {
  return new AppError("conflict", why);
}

export function notYourClient(server: string): AppError {
  return forbidden(
    "owner",
    `Only the owner of "${server}" or an administrator can change its clients at other services`,
  );
}
