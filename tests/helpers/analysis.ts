/**
 * Runs analysers in the test's own thread, and a shared analysis process for stages.
 *
 * @module
 */
import type { Analyser, AnalyserInput } from "../../workers/analysis/analyser.ts";
import {
  type Analysis,
  createAnalysis,
  type ScanAnalysis,
} from "../../src/scan/analysis/analysis.ts";
import type { AnalysedInput } from "../../src/scan/stages/analysed.ts";
import { createLogger } from "../../src/log.ts";
import { PATIENCE_MS } from "./patience.ts";
import { NO_WALLS } from "../../src/sandbox/walls.ts";

/** Text files as a repository holds them, sorted by path. */
export function repositoryOf(files: Record<string, string | Uint8Array>): Map<string, Uint8Array> {
  return new Map(
    Object.entries(files).sort(([a], [b]) => a < b ? -1 : 1).map(([path, content]) => [
      path,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    ]),
  );
}

/** Bytes without a meaning, each time the same. */
export function scrambledBytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => Math.imul(i * i + 1, 2_654_435_761) >>> 13);
}

/** Runs an analyser on these files without a process. */
export async function analyseHere<T>(
  analyser: Analyser,
  files: Record<string, string | Uint8Array>,
  options: Partial<AnalyserInput> = {},
): Promise<{ result: T; refused: { file: string; reason: string }[] }> {
  const refused: { file: string; reason: string }[] = [];
  const result = await analyser({
    lang: "python",
    entrypoint: Object.keys(files)[0] ?? "",
    files: repositoryOf(files),
    options: {},
    threads: 1,
    begin: () => {},
    refuse: (file, reason) => void refused.push({ file, reason }),
    ...options,
  });
  return { result: result as T, refused };
}

/** The real analysis, but that it has time enough on any machine. */
export function patientAnalysis(): Analysis {
  const log = createLogger({ level: "error", format: "text", write: () => {} });
  const analysis = createAnalysis({ walls: NO_WALLS, log, fileMs: PATIENCE_MS });
  function patient<T extends ScanAnalysis>(given: T): T {
    return {
      ...given,
      run: (request, options) => given.run(request, { ...options, deadlineMs: PATIENCE_MS }),
    };
  }
  return { ...patient(analysis), begin: () => patient(analysis.begin()) };
}

/** Runs `use` with what stages need and the real analysis process. */
export async function withStage<T>(
  use: (deps: {
    deps: { analysis: Analysis; now: () => Date };
    input(files: Record<string, string | Uint8Array>, lang?: AnalysedInput["lang"]): AnalysedInput;
  }) => Promise<T>,
): Promise<T> {
  const analysis = patientAnalysis();
  const { run } = analysis.begin();
  try {
    return await use({
      deps: { analysis: { ...analysis, run }, now: () => new Date() },
      input: (files, lang = "python") => ({
        repository: { files: repositoryOf(files) },
        lang,
        entrypoint: Object.keys(files)[0] ?? "",
      }),
    });
  } finally {
    await analysis.close();
  }
}
