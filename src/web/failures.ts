/**
 * The failures of the pages themselves; what a use case refuses has its own list.
 *
 * @module
 */
import { AppError, forbidden } from "../errors.ts";

/** How long until the identity provider may be back. */
const PROVIDER_WAIT_SECONDS = 5;
/** How long until there may be room to draw. */
const CARD_WAIT_SECONDS = 10;

export function notAForm(): AppError {
  return new AppError("unsupported_media_type", "Expected a form");
}

/** Texts that the database cannot store. */
export function formUnstorable(): AppError {
  return new AppError("invalid_request", "The form contains characters that cannot be stored");
}

export function iconNotFound(): AppError {
  return new AppError("not_found", "Icon not found");
}

export function sitemapNotFound(): AppError {
  return new AppError("not_found", "Sitemap not found");
}

/** Too many pictures are being drawn, or this one cannot be. */
export function cardUnavailable(): AppError {
  return new AppError("unavailable", "The picture cannot be drawn at the moment", {
    retryAfter: CARD_WAIT_SECONDS,
  });
}

/** A form without this browser's token, or from another origin. */
export function formForged(): AppError {
  return new AppError(
    "forbidden",
    "This form has expired or came from another site. Reload the page",
    { details: { required: "form of this page", current: "another form" } },
  );
}

export function pageForAdministrators(): AppError {
  return forbidden("administrator", "Only administrators can view this page");
}

/** A sign-in cannot be renewed, and the present token has ended. */
export function providerUnavailable(cause: unknown): AppError {
  return new AppError(
    "unavailable",
    "The identity provider could not be reached to renew your sign-in. Try again in a moment",
    { retryAfter: PROVIDER_WAIT_SECONDS, cause },
  );
}

export function userNotChanged(): AppError {
  return new AppError("not_found", "User not found, or it is your own account");
}

export function sourceFileNotFound(): AppError {
  return new AppError("not_found", "File not found in the scanned source");
}

/** The file is no text, or there is none of this name. */
export function textFileNotFound(): AppError {
  return new AppError("not_found", "Text file not found in the scanned source");
}

export function usernameInvalid(): AppError {
  return new AppError("invalid_request", "Not a valid username");
}

export function nameNotConfirmed(name: string): AppError {
  return new AppError("invalid_request", `Type the name ${name} to confirm`);
}

export function repositoryMissing(): AppError {
  return new AppError("invalid_request", "Enter the URL of a repository");
}

export function tooManyLookups(waitSeconds: number): AppError {
  return new AppError(
    "rate_limited",
    "Too many repository lookups. Try again in a few minutes",
    { retryAfter: waitSeconds, limit: "lookups" },
  );
}

export function toolGone(): AppError {
  return new AppError("not_found", "The server no longer has this tool");
}
