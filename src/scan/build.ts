/**
 * A report with what its build says. The verdict, the findings and their counts stay as they are: a
 * server that notices that it is being built can make a build say anything.
 *
 * @module
 */
import { type Build, type BuiltTool, reasonOf } from "./build_schema.ts";
import { lacksOf } from "./lacks.ts";
import { mostUrgent, recommendationSections } from "./recommendations.ts";
import type { SecurityReport } from "./schema.ts";

/** A build with the tools that it listed. */
export interface Built {
  build: Build;
  tools: BuiltTool[];
}

/** Titles of what {@link withBuild} recommends, by which a later build finds what to replace. */
const TITLE = "The server does not run here: ";

function recommended(
  report: SecurityReport,
  build: Build,
): SecurityReport["recommendation_details"] {
  const others = report.recommendation_details.filter(({ title }) => !title.startsWith(TITLE));
  if (build.runs !== "no" || build.problem === null) return others;
  const added = {
    priority: "medium" as const,
    title: `${TITLE}${reasonOf(build)}`,
    action: build.problem.hint,
    findings: [],
  };
  return mostUrgent([...others, added]);
}

/** `report` with the build in its sections of compatibility and tools, and in what it recommends. */
export function withBuild(report: SecurityReport, { build, tools }: Built): SecurityReport {
  const { compatibility, tool_discovery: discovery } = report;
  if (compatibility === undefined) return report;
  const found = new Set(discovery.found.map(({ name }) => name));
  const lacks = build.runs === "yes" ? lacksOf(report) : [];
  return {
    ...report,
    tool_discovery: { ...discovery, built: tools.filter(({ name }) => !found.has(name)) },
    compatibility: { ...compatibility, build: lacks.length === 0 ? build : { ...build, lacks } },
    ...recommendationSections(recommended(report, build)),
  };
}

/** A build that did not take place. */
export function notTried(reason: string): Built {
  return {
    build: {
      runs: "not_tried",
      profile: null,
      problem: null,
      reason,
      tools_listed: null,
      duration_ms: 0,
    },
    tools: [],
  };
}
