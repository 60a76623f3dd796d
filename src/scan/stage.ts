/**
 * What every stage is given, and how it says that it could not finish.
 *
 * @module
 */
import type { FetchedRepository } from "../repository/fetch.ts";
import type { Advisories } from "./advisories/advisories.ts";
import type { Analysis } from "./analysis/analysis.ts";
import type { RegistryFacts } from "./registry_checks.ts";
import type { Capabilities } from "./capabilities_schema.ts";
import type { Compatibility } from "./compatibility_schema.ts";
import type { Packages } from "./packages_schema.ts";
import type { SonarSettings } from "./sonar/client.ts";
import type { Audit, Language, StageError, ToolDiscovery } from "./schema.ts";
import type { ScannedCode } from "./source_schema.ts";

export interface ScanInput {
  repository: FetchedRepository;
  lang: Language;
  /** Path of the file that runs, relative to the selected folder. */
  entrypoint: string;
  /** Names of the tools that the record reports; null when it reports none. */
  tools: string[] | null;
  serverName: string;
  /** What was resolved for it; absent where nothing was. */
  packages?: Packages | undefined;
  /** What an earlier scan of the same content resolved for it. */
  packagesBefore?: Packages | undefined;
  /** What the registry holds; without it the checks that need it are left out. */
  registry?: RegistryFacts;
}

export interface StageDeps {
  /** Runs analysers in processes that can be killed. */
  analysis: Pick<Analysis, "run" | "engines">;
  advisories: Advisories;
  /** The SonarQube server that stage 1 comes from; without it the built-in analyser runs. */
  sonar?: SonarSettings;
  now: () => Date;
}

/** A stage: a section of the report. It may throw {@link StageFailure}. */
export type Stage<Section, Input = ScanInput> = (
  deps: StageDeps,
  input: Input,
  signal: AbortSignal,
) => Promise<Section>;

/** What stage 2 gives: its section, and what stages 3 and 4 need of the trees that it has read. */
export interface Discovered {
  discovery: ToolDiscovery;
  /** Files that are sure to run with the entrypoint, wherever they lie; none when it did not finish. */
  reached: readonly string[];
  /**
   * Folders of files that may run, the root as an empty text; null where they may lie anywhere, or that
   * is not known.
   */
  folders: readonly string[] | null;
}

/** What stage 5 gives: its own section, and two that the same analysis fills. */
export interface AuditSections {
  audit: Audit;
  mcp: Audit;
  /** Null for other languages than Python. */
  compatibility: Compatibility | null;
  /** Null for other languages, or when the stage did not finish. */
  capabilities: Capabilities | null;
  /** What was read as code; null for other languages, or when the stage did not finish. */
  scanned: ScannedCode | null;
}

/** Thrown by a stage that has no result at all; the report shows `code` and the message. */
export class StageFailure extends Error {
  /** @param message Shown to everyone: names no internals. */
  constructor(readonly code: StageError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StageFailure";
  }
}
