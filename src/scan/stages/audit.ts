/**
 * Stage 5: security audit of the code, of what the server tells the model, and of what the
 * restricted profile refuses. One analysis fills all three sections.
 *
 * @module
 */
import { z } from "zod";
import {
  anyReadsObjects,
  isWantedSource,
  mayBeEvaluated,
} from "../../../workers/analysis/sources.ts";
import { describesVariables } from "../../../workers/analysis/audit/variables/files.ts";
import { declaresHosts } from "../../../workers/analysis/audit/mcp/declared.ts";
import { DeclaredRun, keysAmong } from "../capabilities_schema.ts";
import { ProposedVariable } from "../compatibility_schema.ts";
import { createFindings } from "../findings.ts";
import type { Audit, Finding } from "../schema.ts";
import { ScannedCode } from "../source_schema.ts";
import type { AuditSections } from "../stage.ts";
import {
  type Analysed,
  analysed,
  type AnalysedDeps,
  type AnalysedInput,
  MAX_LISTED,
  RawFinding,
} from "./analysed.ts";

const count = z.int().min(0);

const Construct = z.object({
  construct: z.string().max(200),
  file: z.string().max(4096),
  line: z.int().min(1),
  hint: z.string().max(500),
  within: z.string().max(200).optional(),
});

const AuditResult = z.object({
  lines: count,
  code: z.array(RawFinding).max(20_000),
  mcp: z.array(RawFinding).max(20_000),
  refused: z.array(Construct).max(1000).nullable(),
  missing: z.array(Construct).max(1000).nullable(),
  scanned: ScannedCode.nullable(),
  runs: z.array(DeclaredRun).max(200),
  used: z.object({ hosts: z.array(z.string().max(300)).max(100), files: z.boolean() }).nullable(),
  environment: z.array(ProposedVariable).max(1000).nullable(),
});
type AuditResult = z.infer<typeof AuditResult>;

const DEADLINE_MS = 60_000;

/** Whether a finding of stage 5 fails a scan. */
function failsAudit({ severity }: Pick<Finding, "severity">): boolean {
  return severity === "critical" || severity === "high";
}

function ruleUrl(rule: string): string | null {
  if (!/^(S\d{3}|PLE\d{4})$/.test(rule)) return null;
  return `https://docs.astral.sh/ruff/rules/${rule}/`;
}

function sectionOf(
  raw: readonly RawFinding[],
  finding: ReturnType<typeof createFindings>,
  { result, error, durationMs }: Analysed<AuditResult>,
): Audit {
  const of = (...severities: string[]) =>
    raw.filter(({ severity }) => severities.includes(severity)).length;
  return {
    scan_passed: error === null && !raw.some(failsAudit),
    total_issues: raw.length,
    severity_counts: { high: of("critical", "high"), medium: of("medium"), low: of("low") },
    total_lines_scanned: result?.lines ?? 0,
    issues: raw.slice(0, MAX_LISTED).map((each) => finding({ ...each, url: ruleUrl(each.rule) })),
    duration_ms: durationMs,
    error,
  };
}

function capabilitiesOf(result: AuditResult | null): AuditSections["capabilities"] {
  if (result === null || result.used === null) return null;
  const { runs, used, environment } = result;
  return { runs, ...used, keys: keysAmong(environment ?? []) };
}

export async function runAudit(
  deps: AnalysedDeps,
  input: AnalysedInput,
  signal?: AbortSignal,
): Promise<AuditSections> {
  const makesObjects = input.lang === "python" && anyReadsObjects(input.repository.files);
  const outcome = await analysed(deps, input, {
    analyser: "audit",
    schema: AuditResult,
    deadlineMs: DEADLINE_MS,
    needs: (path, content) =>
      isWantedSource(path, input.lang, input.entrypoint) || declaresHosts(path) ||
      describesVariables(path) ||
      input.lang === "python" && mayBeEvaluated(content, makesObjects),
    signal,
  });
  // One maker for both sections: their findings share the stage, so ids must differ.
  const finding = createFindings("security_audit", input.repository.files);
  const refused = outcome.result?.refused ?? [];
  const missing = outcome.result?.missing ?? [];
  return {
    audit: sectionOf(outcome.result?.code ?? [], finding, outcome),
    mcp: sectionOf(outcome.result?.mcp ?? [], finding, outcome),
    scanned: outcome.result?.scanned ?? null,
    capabilities: capabilitiesOf(outcome.result),
    compatibility: input.lang === "python"
      ? {
        restricted: outcome.result !== null && refused.length === 0,
        refused,
        full: outcome.result !== null && missing.length === 0,
        missing,
        environment: outcome.result?.environment ?? [],
      }
      : null,
  };
}
