/**
 * The languages of servers.
 *
 * @module
 */

/** A language that servers are written in. */
export type Language = "python" | "typescript" | "javascript" | "go" | "rust";
