/**
 * The report of a scan, assembled from its sections.
 *
 * @module
 */
import { notesOf } from "../repository/notes.ts";
import { recommend, recommendationSections } from "./recommendations.ts";
import type { Capabilities } from "./capabilities_schema.ts";
import type { Compatibility } from "./compatibility_schema.ts";
import type { SecurityReport } from "./schema.ts";
import type { ScannedCode } from "./source_schema.ts";
import type { ScanInput } from "./stage.ts";
import { countIssues, isGrave, makeIdsUnique } from "./tally.ts";
import { allFindings, type Sections, statusOf } from "./verdict.ts";

/** Symbolic links that a report lists. */
const MAX_LINKS = 100;

export interface ReportParts {
  input: ScanInput;
  sections: Sections;
  compatibility: Compatibility | null;
  capabilities: Capabilities | null;
  scanned: ScannedCode | null;
  /** Engines with versions, in stage order. */
  engines: readonly string[];
  qualityUrl: string;
  scannedAt: Date;
}

/** Issues of sections that list only the first of very many: their own counts hold. */
function totalIssues({ quality, discovery, dependencies, secrets, audit, mcp }: Sections): number {
  const listed = [quality, discovery, dependencies, audit, mcp].map((section) => {
    const infos = section.issues.length - countIssues(section.issues);
    return Math.max(section.total_issues - infos, countIssues(section.issues));
  });
  return listed.reduce((sum, count) => sum + count, countIssues(secrets.secrets));
}

function criticalIssues(sections: Sections): number {
  const { secrets, ...others } = sections;
  const findings = allFindings({ ...others, secrets: { ...secrets, secrets: [] } });
  return findings.filter(isGrave).length + countIssues(secrets.secrets);
}

/** The whole report; the same parts give the same report. */
export function assembleReport(parts: ReportParts): SecurityReport {
  const { input: { repository, lang, packages }, sections, compatibility, capabilities, scanned } =
    parts;
  const links = repository.ignoredLinks ?? [];
  const findings = allFindings(sections);
  makeIdsUnique(findings);
  const status = statusOf(sections);
  const details = recommend({
    sections,
    compatibility,
    notes: notesOf(repository.files),
    links,
  });
  return {
    status,
    metadata: {
      repository: `${repository.owner}/${repository.name}`,
      repo_url: repository.url,
      scan_date: parts.scannedAt.toISOString(),
      scanners_used: [...parts.engines],
    },
    summary: {
      scan_passed: status === "passed",
      total_issues_all_scanners: totalIssues(sections),
      critical_issues: criticalIssues(sections),
      quality_url: parts.qualityUrl,
    },
    quality_analysis: sections.quality,
    tool_discovery: sections.discovery,
    dependency_audit: sections.dependencies,
    secrets_detection: sections.secrets,
    ...(lang === "python" ? { python_audit: sections.audit } : { code_audit: sections.audit }),
    mcp_audit: sections.mcp,
    ...(compatibility === null ? {} : { compatibility }),
    ...(capabilities === null ? {} : { capabilities }),
    ...(packages === undefined ? {} : { packages }),
    source: {
      commit: repository.commit,
      ref: repository.ref,
      folder: repository.folder,
      archive_sha256: repository.sha256,
      files: repository.files.size,
      bytes: repository.bytes,
      ...(scanned === null ? {} : { scanned }),
      ...(links.length === 0 ? {} : { ignored_links: links.slice(0, MAX_LINKS) }),
    },
    ...recommendationSections(details),
  };
}
