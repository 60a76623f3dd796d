/**
 * The failures of the registry. Names that come from an address are cut: whoever asks for one of
 * a million characters is not sent it back.
 *
 * @module
 */
import { AppError, forbidden } from "../errors.ts";
import type { SecurityReport } from "../scan/schema.ts";
import type { ScanFailure } from "./scanning/scan_schema.ts";

const MAX_SHOWN_NAME = 100;
const MAX_SHOWN_REASONS = 20;

const CLOSED_OFFER = {
  open: "has expired",
  accepted: "was already accepted",
  declined: "was declined",
  cancelled: "was cancelled",
} as const;

const shown = (name: string) => name.slice(0, MAX_SHOWN_NAME);

// Servers

export function serverNotFound(name: string): AppError {
  return new AppError("not_found", `Server "${shown(name)}" was not found`);
}

export function serverExists(name: string): AppError {
  return new AppError("conflict", `A server named "${name}" already exists`);
}

export function nameReserved(name: string, until: Date): AppError {
  return new AppError(
    "conflict",
    `The name "${name}" is reserved for the owner of a deleted server until ${until.toISOString()}`,
  );
}

export function nameFixed(name: string): AppError {
  return new AppError("invalid_request", "A server's name cannot be changed", {
    errors: [{ path: "name", message: `must be "${name}" or omitted` }],
  });
}

/** `If-Match` names another state of the record. */
export function serverStale(name: string): AppError {
  return new AppError(
    "stale",
    `The server "${name}" has changed since you read it. Read it again before you change it`,
  );
}

export function tooManyReaders(limit: number): AppError {
  return new AppError(
    "conflict",
    `A server can have at most ${limit} named users, and as many groups. Name a group instead`,
  );
}

export function notAReader(server: string, reader: string): AppError {
  return new AppError("not_found", `"${shown(reader)}" is not a named reader of "${server}"`);
}

/** What ends a scan of a server that is deleted under it. */
/** An answer to other capabilities than the server has by now. @param kinds What it has. */
export function capabilitiesChanged(name: string, kinds: readonly string[]): AppError {
  const now = kinds.length === 0 ? "none" : kinds.join(", ");
  return new AppError(
    "conflict",
    `The capabilities of "${name}" are not those that you answered to. Now: ${now}`,
  );
}

export function serverDeleted(name: string): AppError {
  return new AppError("not_found", `The server "${name}" was deleted during the scan`);
}

export function tooManyServers(limit: number): AppError {
  return new AppError(
    "conflict",
    `The owner has reached the limit of ${limit} servers. Delete some first`,
  );
}

export function archivesTooLarge(limitBytes: number): AppError {
  return new AppError(
    "conflict",
    `The archives of the owner's servers would exceed the limit of ` +
      `${Math.floor(limitBytes / 1e6)} MB. Delete servers, or large files in their repositories`,
  );
}

export function tooManyWords(limit: number): AppError {
  return new AppError("invalid_request", "The search has too many words", {
    errors: [{ path: "q", message: `must have at most ${limit} words` }],
  });
}

// Scans

/** One text for missing and hidden, so that strangers do not learn which scans exist. */
export function scanNotFound(): AppError {
  return new AppError("not_found", "Scan not found, or you do not have access to it");
}

export function noReport(): AppError {
  return new AppError("not_found", "The scan has no report");
}

export function notComparable(): AppError {
  return new AppError("invalid_request", "The other scan is not a stored scan of the same server", {
    errors: [{ path: "compare", message: "must be the id of a stored scan of the same server" }],
  });
}

export function scanRunning(server: string): AppError {
  return new AppError(
    "conflict",
    `The server "${server}" is being created or scanned. Try again when that has finished`,
  );
}

export function tooManyScans(perHour: number, waitSeconds: number): AppError {
  return new AppError(
    "rate_limited",
    `Too many scans: a user can start ${perHour} per hour (SCANS_PER_HOUR). ` +
      `Try again in ${waitSeconds} seconds`,
    { retryAfter: waitSeconds, limit: "scans" },
  );
}

export function tooManyScansAtOnce(limit: number): AppError {
  return new AppError(
    "rate_limited",
    `You already have ${limit} scans running or queued. Wait for one to finish`,
    { retryAfter: 30, limit: "scans" },
  );
}

/** The node that ran the scan is gone. */
export function scanInterrupted(): AppError {
  return new AppError(
    "unavailable",
    "The scan was interrupted because its node stopped. Send the request again",
  );
}

/** This node shuts down. */
export function scanStopped(cause: unknown): AppError {
  return new AppError("unavailable", "Berth is shutting down. Send the request again", {
    retryAfter: 30,
    cause,
  });
}

/** Others have ended the scan, which has lost its hold on the server's name. */
export function scanLost(): AppError {
  return new AppError("conflict", "The scan was ended before its report could be stored");
}

export function scanCrashed(cause: unknown): AppError {
  return new AppError("internal", "The scan failed with an internal error", { cause });
}

export function scanNotRecorded(cause: unknown): AppError {
  return new AppError("internal", "The scan could not be recorded", { cause });
}

/** The failure that a refused scan was stored with. */
export function storedFailure({ code, message, details, errors }: ScanFailure): AppError {
  return new AppError(code, message, { details, errors });
}

/** `SCAN_POLICY=reject`, and the scan has no verdict. */
export function scanIncomplete(): AppError {
  return new AppError(
    "unavailable",
    "The security scan could not be completed because a service it needs was unavailable. " +
      "Try again later",
    { retryAfter: 60 },
  );
}

/** `SCAN_POLICY=reject`, and the scan failed. */
export function scanFailed({ summary, recommendations }: SecurityReport): AppError {
  const count = summary.critical_issues;
  return new AppError(
    "repository_refused",
    `The security scan failed with ${count} blocking finding${count === 1 ? "" : "s"}. ` +
      "This registry only accepts servers that pass",
    {
      errors: recommendations.slice(0, MAX_SHOWN_REASONS)
        .map((message) => ({ path: "repository", message })),
    },
  );
}

export function archiveMissing(server: string): AppError {
  return new AppError("internal", `The archive of the server "${server}" is missing`);
}

// Owners of servers

export function notYours(server: string): AppError {
  return forbidden("owner", `Only the owner of "${server}" or an administrator can do this`);
}

export function notYourAuthors(server: string, author: string): AppError {
  return forbidden(
    "namespace owner",
    `Only the owners of the author "${author}" or an administrator can change "${server}"`,
  );
}

export function userNotFound(username: string): AppError {
  return new AppError("not_found", `User "${shown(username)}" was not found`);
}

export function ownsServer(username: string, server: string): AppError {
  return new AppError("invalid_request", `"${username}" already owns "${server}"`, {
    errors: [{ path: "to", message: "must be a user other than the owner" }],
  });
}

export function alreadyOffered(server: string): AppError {
  return new AppError("conflict", `"${server}" is already on offer. Cancel that offer first`);
}

export function notOffered(server: string): AppError {
  return new AppError("conflict", `"${server}" is not on offer`);
}

export function notRecipient(server: string): AppError {
  return forbidden("recipient", `Only a user who is offered "${server}" can do this`);
}

/** @param state `open` when it has expired. */
export function offerClosed(server: string, state: keyof typeof CLOSED_OFFER): AppError {
  return new AppError("conflict", `The offer of "${server}" ${CLOSED_OFFER[state]}`);
}

export function serverChanging(name: string): AppError {
  return new AppError("conflict", `"${name}" is being changed. Try again`);
}

// Owners of author names

export function authorNotFound(author: string): AppError {
  return new AppError("not_found", `Author name "${shown(author)}" was not found`);
}

export function notYourAuthor(author: string): AppError {
  return forbidden(
    "namespace owner",
    `Only the owners of the author name "${author}" or an administrator can do this`,
  );
}

export function authorIsUsername(author: string): AppError {
  return new AppError("conflict", `"${author}" is a username, which cannot have other owners`);
}

export function ownsAuthor(username: string, author: string): AppError {
  return new AppError("conflict", `"${username}" already owns "${author}"`);
}

export function tooManyOwners(author: string, limit: number): AppError {
  return new AppError(
    "conflict",
    `"${author}" has reached the limit of ${limit} owners and open invitations`,
  );
}

export function invitationClosed(): AppError {
  return new AppError("conflict", "The invitation has already been answered or withdrawn");
}

export function notInvited(author: string): AppError {
  return forbidden("invitee", `Only a user who is invited to own "${author}" can do this`);
}

export function neitherOwnerNorInvitee(username: string, author: string): AppError {
  return new AppError("not_found", `"${username}" neither owns "${author}" nor is invited to`);
}

export function onlyOwner(username: string, author: string): AppError {
  return new AppError("conflict", `"${username}" is the only owner of "${author}"`);
}
