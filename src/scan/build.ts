/**
 * A report with what its build says. The verdict, the findings and their counts stay as they are: a
 * server that notices that it is being built can make a build say anything.
 *
 * @module
 */
import { type Build, type BuiltTool, reasonOf } from "./build_schema.ts";
import type { Compatibility } from "./compatibility_schema.ts";
import { packageOf } from "./packages.ts";
import { lacksOf } from "./lacks.ts";
import type { ListedTool } from "./listed_tools_schema.ts";
import { mostUrgent, recommendationSections } from "./recommendations.ts";
import type { SecurityReport } from "./schema.ts";

/** A tool that a build listed; `listed` is what the server said of it, unless that is too much. */
export interface ToolOfBuild extends BuiltTool {
  listed?: ListedTool | undefined;
}

/** A build with the tools that it listed. */
export interface Built {
  build: Build;
  /** What came of starting it in the other profile, where that was tried. */
  other?: Build | undefined;
  tools: ToolOfBuild[];
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

const DECLARE = "Declare it in requirements.txt or pyproject.toml";

/** A build whose hint for a package that nothing asks for is to declare it. */
function withDeclaring(build: Build, { packages }: SecurityReport): Build {
  const { problem } = build;
  if (problem?.kind !== "missing_package" || problem.subject === null) return build;
  if (!packages?.undeclared.includes(packageOf(problem.subject))) return build;
  return { ...build, problem: { ...problem, hint: DECLARE } };
}

/** How a package without which a build did not start is listed, by which a later one finds it. */
const LACKING = "missing package";

/** What the profiles lack, with the package that a build in the full profile did not find. */
function withLacking(before: Compatibility, build: Build): Compatibility {
  const { missing: all = [], full } = before;
  const missing = all.filter(({ construct }) => !construct.startsWith(`${LACKING} (`));
  const hadOnly = missing.length === 0 && all.length > 0;
  const audited = missing.length === all.length ? before : { ...before, missing, full: hadOnly };
  const { problem, profile, runs } = build;
  if (full === undefined || runs !== "no" || profile !== "full") return audited;
  if (problem?.kind !== "missing_package" || problem.file === null) return audited;
  const construct = `${LACKING} (${problem.subject ?? "unknown"})`;
  const place = { file: problem.file, line: problem.line ?? 1, hint: problem.hint };
  return { ...audited, full: false, missing: [...missing, { construct, ...place }] };
}

const PROFILE = "INTERPRETER_PROFILE=full";
const NEEDS_FULL = `It runs in the full profile, which the operator sets (${PROFILE})`;

const MAY_NEED_FULL = `It may run in the full profile, which the operator sets (${PROFILE})`;

/**
 * A build in the restricted profile whose hint is the other profile, where that is what it takes; or
 * names it beside its own, where this node cannot tell.
 */
function withProfile(build: Build, other: Build | undefined): Build {
  const { problem, profile } = build;
  if (problem === null || profile !== "restricted" || other === undefined) return build;
  if (other.runs === "yes") return { ...build, problem: { ...problem, hint: NEEDS_FULL } };
  if (other.runs !== "not_tried" || problem.hint.includes(PROFILE)) return build;
  return { ...build, problem: { ...problem, hint: `${problem.hint}. ${MAY_NEED_FULL}` } };
}

function fullAs({ full, missing = [] }: Compatibility, runs: Build["runs"] | undefined) {
  if (full === undefined) return {};
  if (runs === "no") return { full: false };
  return runs === "yes" && missing.length === 0 ? { full: true } : {};
}

/** What the builds have measured in place of what the source was taken for. */
function measured(before: Compatibility, builds: readonly Build[]): Compatibility {
  const runs = new Map(builds.map(({ profile, runs }) => [profile, runs]));
  const restricted = runs.get("restricted");
  return {
    ...before,
    restricted: restricted === "yes" || before.restricted && restricted !== "no",
    ...fullAs(before, runs.get("full")),
  };
}

/** `report` with the build in its sections of compatibility and tools, and in what it recommends. */
export function withBuild(report: SecurityReport, built: Built): SecurityReport {
  const { listed: _before, ...discovery } = report.tool_discovery;
  if (report.compatibility === undefined) return report;
  const { tools } = built;
  const { other } = built;
  const build = withProfile(withDeclaring(built.build, report), other);
  const builds = other === undefined ? [build] : [build, other];
  const { other_build: _, ...before } = report.compatibility;
  const compatibility = measured(builds.reduce(withLacking, before), builds);
  const found = new Set(discovery.found.map(({ name }) => name));
  const lacks = build.runs === "yes" ? lacksOf(report) : [];
  const unseen = tools.filter(({ name }) => !found.has(name));
  const listed = tools.map((tool) => tool.listed).filter((tool) => tool !== undefined);
  return {
    ...report,
    tool_discovery: {
      ...discovery,
      built: unseen.map(({ name, description }) => ({ name, description })),
      ...(listed.length === 0 ? {} : { listed }),
    },
    compatibility: {
      ...compatibility,
      build: lacks.length === 0 ? build : { ...build, lacks },
      ...(other === undefined ? {} : { other_build: other }),
    },
    ...recommendationSections(recommended(report, build)),
  };
}

/** What a build says, marked where another node, or another try, is to say more. */
export function markedPending({ again, ...built }: Built & { again: boolean }): Built {
  const { build } = built;
  return again && build.runs === "not_tried"
    ? { ...built, build: { ...build, pending: true } }
    : built;
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
