/**
 * Bounds of what is read of a repository's manifests.
 *
 * @module
 */

/** Largest manifest or lock file that is read, in bytes. */
export const MAX_MANIFEST_BYTES = 5_000_000;
/**
 * What all manifests of a repository may have together, in bytes; a file counts as often as it is
 * included.
 */
export const MAX_TOTAL_BYTES = 60_000_000;
/** Requirements of one repository. */
export const MAX_REQUIREMENTS = 20_000;
