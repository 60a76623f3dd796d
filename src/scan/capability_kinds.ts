/**
 * Kinds of capabilities, apart from the report's schema: the command line's help loads no schemas.
 *
 * @module
 */

/** What a tool may run that its caller writes, and what it may do because it says so. */
export const CAPABILITY_KINDS = [
  "sql",
  "commands",
  "code",
  "clipboard",
  "screen",
  "instructions",
  "assistants",
  "docker",
  "frames",
] as const;
