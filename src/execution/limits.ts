/**
 * Bounds of the execution endpoint that are not configuration.
 *
 * @module
 */

const MEBIBYTE = 1024 * 1024;

/** Most bytes of a request's body. */
export const BODY_MAX_BYTES = 4 * MEBIBYTE;
/** Bytes of a request's body that count as one call more, as reading them costs as much. */
export const BODY_BYTES_PER_CALL = MEBIBYTE / 4;
/** Bytes of bodies of unanswered requests that a node holds. */
export const BODIES_HELD_MAX_BYTES = 128 * MEBIBYTE;
/** Milliseconds in which a request's body must have arrived. */
export const BODY_TIMEOUT_MS = 60_000;
/** Most bytes of a response's body. */
export const RESULT_MAX_BYTES = 8 * MEBIBYTE;
/** Most messages in one batch. */
export const BATCH_MAX = 100;
/** Most bytes of log text that one call may write to the operator's log. */
export const LOG_MAX_BYTES = 256 * 1024;
/** Bytes of events that one session keeps for clients that come back. */
export const SESSION_EVENTS_MAX_BYTES = 16 * MEBIBYTE;
/** Bytes on their way to a session's client for which there is no room to keep them: one result. */
export const PASSING_MAX_BYTES = 9 * MEBIBYTE;
/** Bytes of what belongs to no request that are kept while the client does not listen. */
export const UNREAD_MAX_BYTES = MEBIBYTE;
/** Events that one stream keeps. */
export const STREAM_EVENTS_MAX = 1000;
/** Bytes of events that all sessions of a node keep. */
export const NODE_EVENTS_MAX_BYTES = 128 * MEBIBYTE;
/** Milliseconds of silence after which a stream says that it is still there. */
export const KEEP_ALIVE_MS = 15_000;
/** Milliseconds without an answer after which a client that takes a stream gets one. */
export const PATIENCE_MS = 5000;
/** Milliseconds after which a client should come back to a stream that ended early. */
export const RETRY_MS = 1000;
/** Milliseconds a server may wait for its client's answer. */
export const QUESTION_MAX_MS = 10 * 60_000;
/** Resources that one session may watch. */
export const SUBSCRIPTIONS_MAX = 1000;
/** Most sessions of a node, whatever memory it has. */
const SESSIONS_MAX = 200;

// A session of a user who has no other takes that at rest, those beside it 60 to 80 MB; a share of the
// machine is left to everything else.
const BYTES_PER_SESSION = 176 * MEBIBYTE;
const SHARE = 0.6;

/**
 * How many sessions a node holds when the operator does not say.
 *
 * @param machineBytes Memory of the machine.
 * @param limitBytes What a control group, such as a container's, leaves of it. 0: no such limit is known;
 * some systems say a number beyond all memory.
 */
export function defaultMaxSessions(machineBytes: number, limitBytes = 0): number {
  const memoryBytes = limitBytes > 0 ? Math.min(machineBytes, limitBytes) : machineBytes;
  const fitting = Math.floor((memoryBytes * SHARE) / BYTES_PER_SESSION);
  return Math.min(SESSIONS_MAX, Math.max(4, fitting));
}
