/**
 * Packages look at environment variables for switches of their own. The process may read none: for
 * them it is empty, so that it needs no permission for that. Imported before any package.
 *
 * @module
 */
import process from "node:process";

process.env = {};
