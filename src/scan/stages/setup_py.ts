/**
 * The dependencies of `setup.py`, which the analysis process reads from the syntax tree.
 *
 * @module
 */
import { z } from "zod";
import { StageFailure } from "../stage.ts";
import type { Analysis } from "../analysis/analysis.ts";
import type { Manifests } from "../manifests/manifests.ts";
import { parseSpecifier } from "../manifests/pep508.ts";
import { requirement } from "../manifests/requirement.ts";
import { analysed } from "./analysed.ts";

const RequirementsResult = z.object({
  requirements: z.array(z.object({
    file: z.string().max(4096),
    line: z.int().min(1),
    text: z.string().max(500),
  })).max(5_000),
  computed: z.array(z.object({ file: z.string().max(4096), line: z.int().min(1) })).max(20_000),
});

const DEADLINE_MS = 30_000;
const INSTALLED = /(^|\/)(node_modules|site-packages|\.venv|venv|vendor)\//;

/** Whether a path is a `setup.py` of the repository itself. */
function isSetup(path: string): boolean {
  return /(^|\/)setup\.py$/.test(path) && !INSTALLED.test(path);
}

/**
 * `manifests` with what the `setup.py` files say. What they compute is listed as unreadable, without
 * being one of the files that a scan cannot do without: usually it is what a requirements file has.
 */
export async function withSetupPy(
  deps: { analysis: Pick<Analysis, "run">; now: () => Date },
  files: ReadonlyMap<string, Uint8Array>,
  manifests: Manifests,
  signal: AbortSignal,
): Promise<{ manifests: Manifests; computed: { file: string; line: number }[] }> {
  const paths = [...files.keys()].filter(isSetup);
  if (paths.length === 0) return { manifests, computed: [] };
  const { result, error } = await analysed(deps, {
    repository: { files },
    lang: "python",
    entrypoint: paths[0]!,
  }, {
    analyser: "requirements",
    schema: RequirementsResult,
    deadlineMs: DEADLINE_MS,
    needs: isSetup,
    signal,
  });
  signal.throwIfAborted();
  if (result === null) throw new StageFailure(error!.code, error!.message);
  const unreadable = [...manifests.unreadable];
  if (error !== null) unreadable.push({ file: paths[0]!, line: null, problem: error.message });
  const found = result.requirements.flatMap(({ file, line, text }) => {
    const parsed = parseSpecifier(text);
    // A name of a file, or a text for another keyword: pip would refuse it, so it is none.
    if (parsed === null || !parsed.applies) return [];
    const { name, allowed } = parsed;
    return [requirement({ ecosystem: "PyPI", name, allowed, text, file, line })];
  });
  return {
    manifests: {
      requirements: [...manifests.requirements, ...found],
      files: [...new Set([...manifests.files, ...paths])].sort(),
      unreadable,
    },
    computed: result.computed,
  };
}
