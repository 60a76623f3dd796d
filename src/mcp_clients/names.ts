/**
 * Names of MCP clients, apart from what is known of them: help must not load that.
 *
 * @module
 */

/** Clients whose configuration `berth pull` changes. */
export const PULLED_CLIENTS = [
  "vscode",
  "claude",
  "claude-code",
  "cursor",
  "windsurf",
  "codex",
  "gemini",
  "zed",
  "lmstudio",
  "copilot",
  "kiro",
] as const;
export type PulledClient = (typeof PULLED_CLIENTS)[number];

/** Clients that users tell of a server by hand. */
const OTHER_CLIENTS = ["jetbrains", "goose", "cline", "opencode"] as const;

/** Clients of the table: those above, and those that are told by hand. */
export type KnownClient = PulledClient | (typeof OTHER_CLIENTS)[number];

/** Whether `berth pull` can change the client's configuration. */
export function isPulled(client: string): client is PulledClient {
  return (PULLED_CLIENTS as readonly string[]).includes(client);
}
