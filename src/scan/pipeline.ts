/**
 * The scan of a repository: five stages in the specification's order, each with its own deadline,
 * progress, timing and failure.
 *
 * @module
 */
import type { Logger } from "../log.ts";
import type { Packages } from "./packages_schema.ts";
import type { Analysis } from "./analysis/analysis.ts";
import { INCOMPLETE } from "./incomplete.ts";
import { assembleReport } from "./report.ts";
import {
  type Language,
  type SecurityReport,
  type StageError,
  type StageName,
  type StageProgress,
  STAGES,
} from "./schema.ts";
import { withoutEchoes } from "./echoes.ts";
import { orKept, withResolved, withUndeclared } from "./packages.ts";
import { registryFindings, withFindings } from "./registry_checks.ts";
import { type ScanInput, type StageDeps, StageFailure } from "./stage.ts";
import { DEFAULT_STAGES, type StageTable } from "./stages/table.ts";
import { countIssues } from "./tally.ts";
import { type Sections, withPassed } from "./verdict.ts";

export type { ScanInput } from "./stage.ts";

export interface ScanDeps extends Omit<StageDeps, "analysis"> {
  /** Runs analysers in processes that can be killed, one for each scan. */
  analysis: Pick<Analysis, "begin" | "engines">;
  /** Resolves the packages of a server; absent where its sessions have none of their own. */
  resolvePackages?: (
    analysis: Pick<Analysis, "run">,
    input: ScanInput,
    signal: AbortSignal,
  ) => Promise<Packages | null>;
  /** Told of what was resolved, so that it is made ready for the build meanwhile. */
  onResolved?: (packages: Packages) => void;
  /** Reads the files of packages for malice; absent where sessions have none of their own. */
  readPackages?: (packages: Packages, signal: AbortSignal) => Promise<Packages>;
  /** Packages that every session can import; by default none. */
  installed?: ReadonlySet<string>;
  /** Address of the quality result of a server (`summary.quality_url`). */
  qualityUrl: (serverName: string) => string;
  log: Logger;
  /** Stages in place of the usual ones. */
  stages?: Partial<StageTable>;
  /** Milliseconds of a stage in place of the usual ones. */
  deadlines?: Partial<Record<StageName, number>>;
  /** By what those are multiplied now; by default they stay as they are. */
  patience?: () => number;
}

/** How a scan is watched and stopped. */
export interface ScanOptions {
  signal?: AbortSignal;
  /** Called with the state of all stages whenever one begins or ends. */
  onProgress?: (progress: StageProgress[]) => void;
}

/** Milliseconds that each stage may take; stages bound their own parts more tightly. */
const DEADLINE_MS: Record<StageName, number> = {
  quality_analysis: 90_000,
  tool_discovery: 90_000,
  dependency_audit: 120_000,
  secrets_detection: 120_000,
  security_audit: 120_000,
};

function errorOf(reason: unknown, timedOut: boolean): StageError {
  if (timedOut) return { code: "timeout", message: "The stage took too long" };
  if (reason instanceof StageFailure) return { code: reason.code, message: reason.message };
  return { code: "crashed", message: "The stage ended unexpectedly" };
}

/** Rejects when `signal` aborts, also if `work` does not notice. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", abort));
}

/** Milliseconds that all stages may take together. */
const WHOLE_SCAN_MS = 120_000;

type StageRunDeps = Omit<ScanDeps, "analysis"> & StageDeps;

/** Runs stages one by one and keeps the progress of all of them. */
function createRunner(deps: StageRunDeps, input: ScanInput, options: ScanOptions) {
  const begun = performance.now();
  const times = deps.patience?.() ?? 1;
  const progress = STAGES.map((stage): StageProgress => ({
    stage,
    state: "waiting",
    started_at: null,
    finished_at: null,
    issues: null,
  }));
  function report(stage: StageName, change: Partial<StageProgress>): void {
    Object.assign(progress[STAGES.indexOf(stage)]!, change);
    options.onProgress?.(progress.map((entry) => ({ ...entry })));
  }

  return async function run<Section>(
    stage: StageName,
    body: (deps: StageDeps, input: ScanInput, signal: AbortSignal) => Promise<Section>,
    incomplete: (error: StageError, input: ScanInput) => Section,
    summary: (section: Section) => { error: StageError | null; issues: number },
  ): Promise<{ section: Section; durationMs: number }> {
    options.signal?.throwIfAborted();
    const started = deps.now();
    const startedAt = performance.now();
    report(stage, { state: "running", started_at: started.toISOString() });
    const own = deps.deadlines?.[stage] ?? DEADLINE_MS[stage];
    const left = Math.max(1, WHOLE_SCAN_MS * times - (performance.now() - begun));
    const deadline = AbortSignal.timeout(Math.min(own * times, left));
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
    let section: Section;
    try {
      section = await orAborted(body(deps, input, signal), signal);
    } catch (reason) {
      options.signal?.throwIfAborted();
      const error = errorOf(reason, deadline.aborted);
      deps.log.warn("scan stage failed", { stage, server: input.serverName, error, reason });
      section = incomplete(error, input);
    }
    const durationMs = Math.round(performance.now() - startedAt);
    const { error, issues } = summary(section);
    report(stage, {
      state: error === null ? "done" : "failed",
      finished_at: new Date(started.getTime() + durationMs).toISOString(),
      issues,
    });
    return { section, durationMs };
  };
}

/** Linters that look at some languages only. */
const LINTS: [RegExp, Language[]][] = [
  [/^ruff /, ["python"]],
  [/^eslint/, ["javascript", "typescript"]],
];

/**
 * Engines in stage order: the advisories stand between those of stage 2 and stage 4.
 *
 * @param analyser The server that stage 1 came from, if it did.
 */
function enginesOf(
  { analysis, advisories }: StageDeps,
  lang: Language,
  analyser: string | undefined,
): string[] {
  const isSecrets = (engine: string) => engine.startsWith("secretlint");
  const used = analysis.engines.filter((engine) =>
    LINTS.every(([linter, languages]) => !linter.test(engine) || languages.includes(lang))
  );
  return [
    ...(analyser === undefined ? [] : [analyser]),
    ...used.filter((engine) => !isSecrets(engine)),
    advisories.engine,
    ...used.filter(isSecrets),
  ];
}

/**
 * Scans a repository. The same input, advisories and engines give the same report but for times.
 *
 * @throws The signal's reason when the caller stops the scan; a stage that fails is in the report.
 */
export async function runScan(
  deps: ScanDeps,
  input: ScanInput,
  options: ScanOptions = {},
): Promise<SecurityReport> {
  const scan = deps.analysis.begin();
  try {
    const analysis = { engines: deps.analysis.engines, run: scan.run };
    const signal = options.signal ?? new AbortController().signal;
    const found = await deps.resolvePackages?.(scan, input, signal) ?? undefined;
    const kept = found && orKept(found, input.packagesBefore);
    if (kept !== undefined) deps.onResolved?.(kept);
    const packages = kept && await deps.readPackages?.(kept, signal) || kept;
    return await runStages({ ...deps, analysis }, { ...input, packages }, options);
  } finally {
    await scan.close();
  }
}

async function runStages(
  deps: StageRunDeps,
  input: ScanInput,
  options: ScanOptions,
): Promise<SecurityReport> {
  const stages = { ...DEFAULT_STAGES, ...deps.stages };
  const run = createRunner(deps, input, options);
  const scannedAt = deps.now();
  const issuesOf = (section: { error: StageError | null; total_issues: number }) => ({
    error: section.error,
    issues: section.total_issues,
  });
  const quality = await run("quality_analysis", stages.quality, INCOMPLETE.quality, issuesOf);
  const discovered = await run(
    "tool_discovery",
    stages.discovery,
    INCOMPLETE.discovery,
    ({ discovery }) => issuesOf(discovery),
  );
  const { discovery, reached, folders } = discovered.section;
  const dependencies = await run(
    "dependency_audit",
    (deps, input, signal) => stages.dependencies(deps, { ...input, folders }, signal),
    INCOMPLETE.dependencies,
    issuesOf,
  );
  const secrets = await run(
    "secrets_detection",
    (deps, input, signal) => stages.secrets(deps, { ...input, reached }, signal),
    INCOMPLETE.secrets,
    (section) => ({ error: section.error, issues: countIssues(section.secrets) }),
  );
  const audits = await run("security_audit", stages.audits, INCOMPLETE.audits, (section) => ({
    error: section.audit.error ?? section.mcp.error,
    issues: section.audit.total_issues + section.mcp.total_issues,
  }));
  const timed = <Section extends { duration_ms: number }>(
    { section, durationMs }: { section: Section; durationMs: number },
  ) => ({ ...section, duration_ms: durationMs });
  const { compatibility, capabilities, scanned } = audits.section;
  const said = withoutEchoes({
    quality: quality.section,
    secrets: secrets.section,
    audit: audits.section.audit,
  });
  const mcp = withFindings(
    audits.section.mcp,
    input.registry === undefined ? [] : registryFindings(input.registry, {
      ...input,
      tools: discovery.found,
      files: input.repository.files,
    }),
  );
  const sections: Sections = {
    quality: withPassed("quality", timed({ ...quality, section: said.quality })),
    discovery: withPassed("discovery", timed({ ...discovered, section: discovery })),
    dependencies: withPassed("dependencies", timed(dependencies)),
    secrets: withPassed("secrets", timed(secrets)),
    audit: withPassed("audit", timed({ section: said.audit, durationMs: audits.durationMs })),
    mcp: withPassed("mcp", timed({ section: mcp, durationMs: audits.durationMs })),
  };
  const packages = input.packages &&
    withUndeclared(input.packages, scanned?.imports ?? [], input.repository.files.keys());
  return assembleReport({
    input: { ...input, packages },
    sections,
    compatibility: withResolved(compatibility, packages, {
      paths: input.repository.files.keys(),
      installed: deps.installed ?? new Set(),
    }),
    capabilities,
    scanned,
    engines: enginesOf(deps, input.lang, quality.section.analyser),
    qualityUrl: quality.section.url ?? deps.qualityUrl(input.serverName),
    scannedAt,
  });
}
