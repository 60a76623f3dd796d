/**
 * Revisions of MCP that Berth speaks.
 *
 * @module
 */

/** Newest first. */
export const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;
export type Revision = (typeof REVISIONS)[number];

/** What a client that names none, or an unknown one, is offered. */
export const NEWEST_REVISION: Revision = REVISIONS[0];

/** Whether `text` is a revision that Berth speaks. */
export function isRevision(text: string): text is Revision {
  return (REVISIONS as readonly string[]).includes(text);
}

/** The revision to answer an `initialize` with: the one asked for if known, else the newest. */
export function negotiate(asked: string | undefined): Revision {
  return asked !== undefined && isRevision(asked) ? asked : NEWEST_REVISION;
}

/** Whether a session of `revision` may send several messages in one body. */
export function hasBatches(revision: Revision): boolean {
  return revision === "2025-03-26";
}

/**
 * Whether streams of a session of `revision` begin with an empty event, by whose id the client can
 * come back. Clients of older revisions take every event for a message.
 */
export function isPrimed(revision: Revision): boolean {
  return revision === "2025-11-25";
}
