/**
 * What bounds an analysis host, for those who put walls around one before they speak with it.
 *
 * @module
 */

/** Most threads of a host that look at files. */
export const MAX_THREADS = 8;
