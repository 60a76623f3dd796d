/**
 * The analyser that stage 3 begins with: which packages the manifests, lock files, scripts and
 * `setup.py` files of a repository ask for.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { analyse as readSetups } from "../requirements/mod.ts";
import { isInstalled, type Manifests, readManifests } from "./manifests.ts";
import { parseSpecifier } from "./pep508.ts";
import { requirement } from "./requirement.ts";

export interface ManifestsResult extends Manifests {
  /** Parts of `setup.py` files that are computed, with the line of the first of each. */
  computed: { file: string; line: number }[];
}

/** Whether a path is a `setup.py` of the repository itself. */
function isSetup(path: string): boolean {
  return /(^|\/)setup\.py$/.test(path) && !isInstalled(path);
}

/** What several files that cannot be read come to, in words. */
function refusal(refused: readonly { file: string; reason: string }[]): string {
  const [first] = refused;
  const more = refused.length === 1 ? "" : ` (and ${refused.length - 1} more)`;
  return `Cannot analyse ${JSON.stringify(first!.file)}: ${first!.reason}${more}`;
}

/**
 * `manifests` with what the `setup.py` files say. What they compute is listed as unreadable, without
 * being one of the files that a scan cannot do without: usually it is what a requirements file has.
 */
async function withSetups(input: AnalyserInput, manifests: Manifests): Promise<ManifestsResult> {
  const files = new Map([...input.files].filter(([path]) => isSetup(path)));
  const paths = [...files.keys()];
  if (paths.length === 0) return { ...manifests, computed: [] };
  const refused: { file: string; reason: string }[] = [];
  const { requirements, computed } = await readSetups({
    ...input,
    files,
    refuse: (file, reason) => refused.push({ file, reason }),
  });
  const found = requirements.flatMap(({ file, line, text }) => {
    const parsed = parseSpecifier(text);
    // A name of a file, or a text for another keyword: pip would refuse it, so it is none.
    if (parsed === null || !parsed.applies) return [];
    const { name, allowed } = parsed;
    return [requirement({ ecosystem: "PyPI", name, allowed, text, file, line })];
  });
  return {
    requirements: [...manifests.requirements, ...found],
    wanted: manifests.wanted,
    own: manifests.own,
    files: [...new Set([...manifests.files, ...paths])].sort(),
    unreadable: refused.length === 0
      ? manifests.unreadable
      : [...manifests.unreadable, { file: paths[0]!, line: null, problem: refusal(refused) }],
    computed,
  };
}

/** Reads every manifest among the files. */
export async function analyse(input: AnalyserInput): Promise<ManifestsResult> {
  return await withSetups(input, readManifests(input.files, input.entrypoint, input));
}
