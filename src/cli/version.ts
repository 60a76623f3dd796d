/**
 * The version of this Berth.
 *
 * @module
 */
import project from "../../deno.json" with { type: "json" };

/** Semantic version. */
export const VERSION: string = project.version;
