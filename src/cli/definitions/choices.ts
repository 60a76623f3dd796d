/**
 * Values that options take, apart from what uses them: help must not load that.
 *
 * @module
 */

/** What `--fail-on` takes: the verdict, the least severity that fails, or nothing. */
export const FAIL_ON = ["verdict", "critical", "high", "medium", "low", "never"] as const;
/** One of {@link FAIL_ON}. */
export type FailOn = (typeof FAIL_ON)[number];

/** What `--format` takes. */
export const FORMATS = ["text", "json", "sarif"] as const;
/** One of {@link FORMATS}. */
export type Format = (typeof FORMATS)[number];

/** Languages of servers. */
export const LANGUAGES = ["python", "javascript", "typescript", "go", "rust"] as const;

/** What `berth config` sets. */
export const SETTINGS = ["registry", "clients"] as const;
/** One of {@link SETTINGS}. */
export type SettingName = (typeof SETTINGS)[number];

/** Shells that `berth completion` knows. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
/** One of {@link SHELLS}. */
export type ShellName = (typeof SHELLS)[number];

/** MCP clients whose configuration `berth pull` knows. */
export const CLIENT_NAMES = [
  "vscode",
  "claude",
  "claude-code",
  "cursor",
  "windsurf",
  "codex",
  "gemini",
  "zed",
] as const;
/** One of {@link CLIENT_NAMES}. */
export type ClientName = (typeof CLIENT_NAMES)[number];
