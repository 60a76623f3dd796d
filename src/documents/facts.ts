/**
 * What a repository tells of itself, for the form that registers it. Its manifests are strangers'
 * texts: they are read in a process that is ended when it takes too long.
 *
 * @module
 */
import { z } from "zod";
import type { RepositoryFiles } from "../repository/archive.ts";
import type { Analysis } from "../scan/analysis/analysis.ts";
import { LANGUAGES } from "../scan/schema.ts";

const text = z.string().max(5_000);

const Facts = z.object({
  name: text.optional(),
  version: text,
  description: z.string().transform((value) => value.slice(0, 5_000)).optional(),
  lang: z.enum(LANGUAGES).optional(),
  license: text.optional(),
  entrypoint: text.optional(),
});
/** What could be found out. */
export type Facts = z.infer<typeof Facts>;

const DEADLINE_MS = 10_000;
/** What tells something is small; the rest would only take time. */
const MAX_FILE_BYTES = 1_000_000;
const MAX_BYTES = 50_000_000;

function telling(files: RepositoryFiles): Map<string, Uint8Array> {
  let left = MAX_BYTES;
  return new Map([...files].filter(([, { length }]) => {
    if (length > MAX_FILE_BYTES || length > left) return false;
    left -= length;
    return true;
  }));
}

/** The facts of a repository called `name`; no more than a version when it cannot be read in time. */
export async function factsOf(
  analysis: Pick<Analysis, "run">,
  files: RepositoryFiles,
  name: string,
): Promise<Facts> {
  const outcome = await analysis.run(
    { analyser: "facts", lang: "python", entrypoint: "", files: telling(files), options: { name } },
    { deadlineMs: DEADLINE_MS },
  );
  const found = outcome.kind === "done" ? Facts.safeParse(outcome.result).data : undefined;
  return found ?? { name, version: "0.1.0" };
}
