/**
 * How large messages between the service and an analysis host may be. Apart from the messages' shapes,
 * so that a process can be started before those are loaded.
 *
 * @module
 */
import type { JsonBounds } from "../wire/modest_json.ts";

/** Largest head of a request or a reply, in bytes. A reply's head holds the result. */
export const MAX_HEAD_BYTES = 64 * 1024 * 1024;
/** Largest body of a request, in bytes: a repository's files. Replies have none. */
export const MAX_BODY_BYTES = 512 * 1024 * 1024;
/** What a reply's head may hold: far more than the results of any analyser. */
export const REPLY_JSON: JsonBounds = { values: 2_000_000, depth: 100 };
