/**
 * Where packages come from that no registry with advisories has.
 *
 * @module
 */

/** What says that a package is one of conda. */
export const CONDA_CHANNEL = "conda";
