/**
 * Bounds of what is fetched from a code host. They keep one repository from filling the memory of
 * the process; each is far above what real servers need.
 *
 * @module
 */

/** Compressed size of an archive, in bytes. */
export const MAX_ARCHIVE_BYTES = 50_000_000;
/** Inflated size of an archive, in bytes. */
export const MAX_INFLATED_BYTES = 300_000_000;
/** Inflated bytes for each compressed byte, once {@link RATIO_FREE_BYTES} have come out. */
export const MAX_RATIO = 200;
/** Inflated bytes that are not held against {@link MAX_RATIO}: small text compresses very well. */
export const RATIO_FREE_BYTES = 10_000_000;
/** Entries of an archive, folders included. */
export const MAX_ENTRIES = 20_000;
/** UTF-8 bytes of a path. */
export const MAX_PATH_BYTES = 512;
/** Folders above a file. */
export const MAX_PATH_DEPTH = 64;
/** Milliseconds for a whole download. */
export const DOWNLOAD_TIMEOUT_MS = 60_000;
/** Milliseconds for one answer of the code host's API. */
export const API_TIMEOUT_MS = 15_000;
/** Size of one answer of the code host's API, in bytes. */
export const MAX_API_BYTES = 4_000_000;
/** Redirects that are followed for one request. */
export const MAX_REDIRECTS = 5;
/** Path segments after `/tree/` that may be a ref; each candidate costs one request. */
export const MAX_TAIL_SEGMENTS = 16;
/** Longest wait that a rate limit of the code host makes us announce, in seconds. */
export const MAX_RETRY_AFTER_SECONDS = 3_600;
/** Wait that is announced when the code host failed without saying how long, in seconds. */
export const DEFAULT_RETRY_AFTER_SECONDS = 60;
