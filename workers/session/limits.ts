/**
 * Sizes and rates that both sides of a session host keep to. The worker obeys them so that honest
 * code is cut with a clear text; the main process enforces them because the worker may be lying.
 *
 * @module
 */

/** Bytes of one call's result, as JSON text. */
export const MAX_RESULT_BYTES = 8 * 1024 * 1024;
/** Entries of one page of `tools/list` and the other lists. */
export const MAX_LISTED = 1000;
/** Bytes of one entry of a list (a tool with its schemas) as JSON text. */
export const MAX_LISTED_BYTES = 256 * 1024;
/** Bytes of one page of a list as JSON text. */
export const MAX_LIST_BYTES = 4 * 1024 * 1024;
/** Bytes of log text of one call. */
export const MAX_LOG_BYTES = 256 * 1024;
/** Notifications of one session a second. */
export const MAX_NOTIFICATIONS_PER_SECOND = 100;
/** Requests of one session to its client at once. */
export const MAX_ASKS_AT_ONCE = 8;
/** Bytes of one request to the client as JSON text, and of what comes back. */
export const MAX_ASK_BYTES = 4 * 1024 * 1024;
/** HTTP requests of one session at once. */
export const MAX_HTTP_AT_ONCE = 8;
/** Bytes of the body of an HTTP request or answer. */
export const MAX_HTTP_BYTES = 16 * 1024 * 1024;
/** Characters of an HTTP request without its body, as JSON text: with escapes it fits a head. */
export const MAX_HTTP_META_CHARS = 60_000;
/** Bytes of the head of a frame: everything but files, bodies and results. */
export const MAX_HEAD_BYTES = 64 * 1024;
/** Bytes of one event (a log entry or a notification) as JSON text. */
export const MAX_EVENT_BYTES = 512 * 1024;

/** Bytes of a session's interrupt buffer: the flag, and at {@link INTERRUPTED_CALL} whom it is for. */
export const INTERRUPT_BYTES = 8;
/** Offset of the number of the call to interrupt. */
export const INTERRUPTED_CALL = 4;

/** Bytes of a parked session before it is compressed. */
export const MAX_PARKED_PLAIN_BYTES = 32 * 1024 * 1024;
/** Bytes of a parked session as it is kept: what cannot be compressed becomes a little larger. */
export const MAX_PARKED_BYTES = MAX_PARKED_PLAIN_BYTES + 1024 * 1024;
