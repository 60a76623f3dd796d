/**
 * Values that options take, apart from what uses them: help must not load that.
 *
 * @module
 */
import { CAPABILITY_KINDS } from "../../scan/capability_kinds.ts";

/** What `--fail-on` takes: the verdict, the least severity that fails, or nothing. */
export const FAIL_ON = ["verdict", "critical", "high", "medium", "low", "never"] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** What `--format` takes. */
export const FORMATS = ["text", "json", "sarif"] as const;
export type Format = (typeof FORMATS)[number];

/** Languages of servers. */
export const LANGUAGES = ["python", "javascript", "typescript", "go", "rust"] as const;

/** Who may read a server. */
export const VISIBILITIES = ["public", "internal", "private"] as const;
export type VisibilityName = (typeof VISIBILITIES)[number];

/** Orders of lists. */
export const SORTS = ["name", "updated", "created", "popular", "relevance"] as const;

/** What lists can be filtered by: what tools run that their callers write or do openly, or none. */
export const CAPABILITIES = [...CAPABILITY_KINDS, "none"] as const;

/** Where servers with capabilities stand with administrators. */
export const DECISIONS = ["waiting", "allowed", "refused"] as const;
export type Decision = (typeof DECISIONS)[number];

/** What `berth config` sets. */
export const SETTINGS = ["registry", "clients"] as const;
export type SettingName = (typeof SETTINGS)[number];

/** Shells that `berth completion` knows. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
export type ShellName = (typeof SHELLS)[number];
