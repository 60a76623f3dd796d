/**
 * The stages as the pipeline runs them.
 *
 * @module
 */
import type { DependencyAudit, QualityAnalysis, SecretsDetection } from "../schema.ts";
import type { AuditSections, Discovered, ScanInput, Stage } from "../stage.ts";
import type { Placed } from "./aside.ts";
import { runAudit } from "./audit.ts";
import { runDependencies } from "./dependencies.ts";
import { runDiscovery } from "./discovery.ts";
import { runQuality } from "./quality.ts";
import { runSecrets } from "./secrets.ts";
import { runSonarQuality } from "./sonar_quality.ts";

/** One function a stage, in order. */
export interface StageTable {
  quality: Stage<QualityAnalysis>;
  discovery: Stage<Discovered>;
  dependencies: Stage<DependencyAudit, ScanInput & Placed>;
  secrets: Stage<SecretsDetection, ScanInput & Pick<Discovered, "reached">>;
  audits: Stage<AuditSections>;
}

export const DEFAULT_STAGES: StageTable = {
  quality: ({ sonar, ...deps }, input, signal) =>
    sonar === undefined
      ? runQuality(deps, input, signal)
      : runSonarQuality({ ...deps, sonar }, input, signal),
  discovery: runDiscovery,
  dependencies: runDependencies,
  secrets: runSecrets,
  audits: runAudit,
};
