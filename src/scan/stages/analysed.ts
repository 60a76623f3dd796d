/**
 * What the stages that run an analyser share: the call, its failure, the findings it reports.
 *
 * @module
 */
import { z } from "zod";
import type { AnalyserName } from "../../../workers/analysis/messages.ts";
import type { Analysis } from "../analysis/analysis.ts";
import type { AnalysisOutcome } from "../analysis/run.ts";
import { type Language, SEVERITIES, type StageError } from "../schema.ts";

export interface AnalysedDeps {
  analysis: Pick<Analysis, "run">;
  now: () => Date;
}

/** What such a stage works on; a `ScanInput` is one. */
export interface AnalysedInput {
  repository: { files: ReadonlyMap<string, Uint8Array> };
  lang: Language;
  entrypoint: string;
}

/** A finding as analysers report it. */
export const RawFinding = z.object({
  rule: z.string().max(100),
  severity: z.enum(SEVERITIES),
  cwe: z.string().max(20).nullable(),
  title: z.string().max(500),
  detail: z.string().max(4000),
  fix: z.string().max(1000).optional(),
  file: z.string().max(4096),
  line: z.int().min(1),
  end_line: z.int().min(1),
});
export type RawFinding = z.infer<typeof RawFinding>;

/** Most findings that a section lists; counts are of all of them. */
export const MAX_LISTED = 1000;

/** A parsed result, and what kept the stage from being complete. */
export interface Analysed<T> {
  /** Null when the analyser did not finish. */
  result: T | null;
  error: StageError | null;
  durationMs: number;
}

const CODES = { timeout: "timeout", crashed: "crashed", limit: "limit" } as const;

function incomplete(files: { file: string; reason: string }[]): StageError | null {
  const [first] = files;
  if (first === undefined) return null;
  const more = files.length === 1 ? "" : ` (and ${files.length - 1} more)`;
  return {
    code: "not_analysable",
    message: `Cannot analyse ${JSON.stringify(first.file)}: ${first.reason}${more}`,
  };
}

function read<T>(schema: z.ZodType<T>, outcome: AnalysisOutcome): Omit<Analysed<T>, "durationMs"> {
  if (outcome.kind === "failed") {
    return { result: null, error: { code: CODES[outcome.code], message: outcome.message } };
  }
  const parsed = schema.safeParse(outcome.result);
  // The process that read hostile source said something impossible.
  if (!parsed.success) {
    return {
      result: null,
      error: { code: "crashed", message: "The analysis returned no valid result" },
    };
  }
  return { result: parsed.data, error: incomplete(outcome.notAnalysable) };
}

/** Runs an analyser and parses its result as the hostile input it is. */
export async function analysed<T>(
  deps: AnalysedDeps,
  input: AnalysedInput,
  run: {
    analyser: AnalyserName;
    schema: z.ZodType<T>;
    deadlineMs: number;
    /** Which files the analyser needs. */
    needs: (path: string, content: Uint8Array) => boolean;
    options?: Record<string, unknown>;
    signal?: AbortSignal | undefined;
  },
): Promise<Analysed<T>> {
  const started = performance.now();
  const files = new Map(
    [...input.repository.files].filter(([path, content]) => run.needs(path, content)),
  );
  const outcome = await deps.analysis.run(
    {
      analyser: run.analyser,
      lang: input.lang,
      entrypoint: input.entrypoint,
      files,
      options: run.options ?? {},
    },
    { deadlineMs: run.deadlineMs, ...(run.signal === undefined ? {} : { signal: run.signal }) },
  );
  return { ...read(run.schema, outcome), durationMs: Math.round(performance.now() - started) };
}
