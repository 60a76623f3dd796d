/**
 * What fails a scan. `failed` is about the repository; `error` only says that a service outside it
 * was not to be had, so that no content can turn a failure into an error.
 *
 * @module
 */
import type {
  Audit,
  DependencyAudit,
  Finding,
  QualityAnalysis,
  ScanStatus,
  SecretsDetection,
  StageError,
  ToolDiscovery,
} from "./schema.ts";
import { isGrave } from "./tally.ts";

/** The sections that decide. */
export interface Sections {
  quality: QualityAnalysis;
  discovery: ToolDiscovery;
  dependencies: DependencyAudit;
  secrets: SecretsDetection;
  audit: Audit;
  mcp: Audit;
}

/** Whether the section's content fails a scan, apart from its error. */
export const CONTENT_FAILS: { [Name in keyof Sections]: (section: Sections[Name]) => boolean } = {
  // Bugs, smells and hotspots never fail a scan.
  quality: ({ issues }) =>
    issues.some((issue) => issue.class === "vulnerability" && isGrave(issue)),
  discovery: ({ missing }) => missing.length > 0,
  // What only some of the allowed versions have is possible, and settled by a pin.
  dependencies: ({ issues }) => issues.some((issue) => isGrave(issue) && !issue.possible),
  // Certificates are public and listed for information.
  secrets: ({ secrets }) => secrets.some(({ severity }) => severity !== "info"),
  audit: ({ issues }) => issues.some(isGrave),
  mcp: ({ issues }) => issues.some(isGrave),
};

function contentFails<Name extends keyof Sections>(name: Name, sections: Sections): boolean {
  return CONTENT_FAILS[name](sections[name]);
}

const NAMES = Object.keys(CONTENT_FAILS) as (keyof Sections)[];

/** Whether an error is of a service outside the repository. */
export function isOutside(error: StageError | null): boolean {
  return error?.code === "unavailable";
}

/** The outcome of a whole scan. */
export function statusOf(sections: Sections): ScanStatus {
  const errors = NAMES.map((name) => sections[name].error).filter((error) => error !== null);
  const incomplete = errors.some((error) => !isOutside(error));
  if (incomplete || NAMES.some((name) => contentFails(name, sections))) return "failed";
  return errors.length > 0 ? "error" : "passed";
}

/** A section whose own `scan_passed` says what its content and its error say. */
export function withPassed<Name extends keyof Sections>(
  name: Name,
  section: Sections[Name],
): Sections[Name] {
  return {
    ...section,
    scan_passed: section.error === null && !CONTENT_FAILS[name](section),
  };
}

/** Every finding of the report in stage order. Secrets are findings too. */
export function allFindings(sections: Sections): Finding[] {
  return [
    ...sections.quality.issues,
    ...sections.discovery.issues,
    ...sections.dependencies.issues,
    ...sections.secrets.secrets,
    ...sections.audit.issues,
    ...sections.mcp.issues,
  ];
}
