/**
 * What several examples of the API documentation share.
 *
 * @module
 */

/** Id of the request in every example. */
export const REQUEST_ID = "0c3b6a1e-6c1e-4f0b-9a61-3f3ad1f5f2a7";
