/**
 * A scan of a folder on this machine: the registry's five stages, without a registry and without
 * sending the folder anywhere. Only names and versions of dependencies go to the advisory service.
 *
 * @module
 */
import type { RepositoryFiles } from "../../repository/archive.ts";
import { sha256Of } from "../../bytes.ts";
import { patience } from "../../sandbox/patience.ts";
import type { Advisories } from "../../scan/advisories/advisories.ts";
import type { Analysis } from "../../scan/analysis/analysis.ts";
import { runScan } from "../../scan/pipeline.ts";
import type { Language, SecurityReport, StageProgress } from "../../scan/schema.ts";
import { runDiscovery } from "../../scan/stages/discovery.ts";
import type { CliContext } from "../context.ts";
import { logOf, withAnalysis } from "./analysis.ts";

const OSV = "https://api.osv.dev";
/** What stands for the commit of a folder that has none. */
const NO_COMMIT = "0".repeat(40);

export interface LocalScan {
  files: RepositoryFiles;
  name: string;
  lang: Language;
  entrypoint: string;
  /** Tools that the manifest reports; null without. */
  tools: string[] | null;
  /** Where the folder comes from; null when nothing says so. */
  url: string | null;
  commit: string | null;
}

async function advisoriesOf(context: CliContext): Promise<Advisories> {
  const local = context.env("OSV_DATABASE");
  if (local !== undefined) {
    const { createOsvDatabase } = await import("../../scan/advisories/osv_database.ts");
    return createOsvDatabase(local, logOf(context));
  }
  const { OsvService } = await import("../../scan/advisories/osv_service.ts");
  const url = context.env("OSV_API_URL")?.replace(/\/+$/, "") ?? OSV;
  return new OsvService({ url, fetch: context.fetch });
}

/** One digest of all files, in order, with their paths. */
async function digestOf(files: RepositoryFiles): Promise<string> {
  const lines: string[] = [];
  for (const [path, content] of files) lines.push(`${await sha256Of(content)}  ${path}\n`);
  return await sha256Of(new TextEncoder().encode(lines.join("")));
}

/** Scans. @throws The signal's reason when the user interrupts. */
export async function scanLocally(
  context: CliContext,
  analysis: Analysis,
  input: LocalScan,
  onProgress: (stages: StageProgress[]) => void,
): Promise<SecurityReport> {
  const { files, lang, entrypoint, tools, name } = input;
  const now = () => new Date(context.now());
  const advisories = await advisoriesOf(context);
  const sha256 = await digestOf(files);
  return await runScan(
    { analysis, advisories, now, log: logOf(context), patience, qualityUrl: () => "" },
    {
      repository: {
        owner: "local",
        name,
        url: input.url ?? "",
        ref: null,
        folder: "",
        commit: input.commit ?? NO_COMMIT,
        archive: new Uint8Array(),
        sha256,
        files,
        bytes: [...files.values()].reduce((sum, { length }) => sum + length, 0),
        isPrivate: false,
      },
      lang,
      entrypoint,
      tools,
      serverName: name,
    },
    { signal: context.interrupted(), onProgress },
  );
}

/** Names of the tools in the source, in order of place. */
export async function findTools(
  context: CliContext,
  input: { files: RepositoryFiles; lang: Language; entrypoint: string },
): Promise<string[]> {
  const { discovery } = await withAnalysis(context, (analysis) =>
    runDiscovery(
      { analysis, now: () => new Date(context.now()) },
      {
        repository: { files: input.files },
        lang: input.lang,
        entrypoint: input.entrypoint,
        tools: null,
      },
      context.interrupted(),
    ));
  return discovery.reported;
}
