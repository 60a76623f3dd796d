/**
 * The analyser that stage 3 uses for `setup.py`: a program, so its dependencies are read from the
 * syntax tree. Nothing of it runs.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { readNames } from "../python/names.ts";
import { treeOf } from "../syntax/source_tree.ts";
import { ALL, type DeclaredRequirement, setupRequirements } from "./setup_py.ts";

export interface RequirementsResult {
  requirements: (DeclaredRequirement & { file: string })[];
  /** Files in which a part is computed, with the line of the first such part. */
  computed: { file: string; line: number }[];
}

const MAX_REQUIREMENTS = 5_000;

/** Reads every `setup.py` among the files: what it gives to the `wanted` arguments of `setup()`. */
export async function analyse(
  input: AnalyserInput,
  wanted: readonly string[] = ALL,
): Promise<RequirementsResult> {
  const result: RequirementsResult = { requirements: [], computed: [] };
  for (const [path, bytes] of input.files) {
    if (!/(^|\/)setup\.py$/.test(path)) continue;
    input.begin(path);
    const tree = await treeOf({ path, grammar: "python", role: "source", bytes });
    if (typeof tree === "string") {
      input.refuse(path, tree);
      continue;
    }
    const { found, computed } = setupRequirements(readNames(tree), wanted);
    result.requirements.push(...found.map((each) => ({ ...each, file: path })));
    if (computed !== null) result.computed.push({ file: path, line: computed });
  }
  result.requirements = result.requirements.slice(0, MAX_REQUIREMENTS);
  return result;
}
