/**
 * Answers of SonarQube's web API, as far as they are used. The server documents them below
 * `/web_api`; fields that it dropped or added over the years are optional.
 *
 * @module
 */
import { z } from "zod";

const count = z.int().min(0);
const text = z.string().max(4096);

export const SystemStatus = z.object({ version: z.string().max(50), status: z.string().max(50) });

/** `api/project_analyses/search`, newest first. */
export const ProjectAnalyses = z.object({
  analyses: z.array(z.object({ key: text, revision: text.optional() })),
});

/** `api/ce/component`: background tasks of a project. */
export const ComponentTasks = z.object({
  queue: z.array(z.object({ status: text })),
});

/** `api/measures/component`: values are texts, measures that do not apply are absent. */
export const ComponentMeasures = z.object({
  component: z.object({
    measures: z.array(z.object({ metric: text, value: text.optional() })),
  }),
});

/** `api/qualitygates/project_status`. */
export const GateStatus = z.object({
  projectStatus: z.object({ status: z.enum(["OK", "WARN", "ERROR", "NONE"]) }),
});

const paging = z.object({ pageIndex: count, pageSize: count, total: count });
const textRange = z.object({ startLine: z.int().min(1), endLine: z.int().min(1) });

/** Severities of issues, and of impacts since version 10.2. */
const severity = z.enum(["BLOCKER", "CRITICAL", "MAJOR", "MINOR", "INFO", "HIGH", "MEDIUM", "LOW"]);

/** An issue; `type` and `severity`, or `impacts` where a server has only these. */
export const SonarIssue = z.object({
  key: text,
  rule: text,
  component: text,
  message: z.string(),
  line: z.int().min(1).optional(),
  textRange: textRange.optional(),
  type: z.enum(["BUG", "VULNERABILITY", "CODE_SMELL", "SECURITY_HOTSPOT"]).optional(),
  severity: severity.optional(),
  impacts: z.array(z.object({
    softwareQuality: z.enum(["MAINTAINABILITY", "RELIABILITY", "SECURITY"]),
    severity,
  })).optional(),
});
export type SonarIssue = z.infer<typeof SonarIssue>;

/** `api/issues/search`. */
export const IssuePage = z.object({ paging, issues: z.array(SonarIssue).max(500) });

export const SonarHotspot = z.object({
  key: text,
  component: text,
  message: z.string(),
  ruleKey: text.optional(),
  securityCategory: text,
  vulnerabilityProbability: z.enum(["HIGH", "MEDIUM", "LOW"]),
  line: z.int().min(1).optional(),
  textRange: textRange.optional(),
});
export type SonarHotspot = z.infer<typeof SonarHotspot>;

/** `api/hotspots/search`. */
export const HotspotPage = z.object({ paging, hotspots: z.array(SonarHotspot).max(500) });
