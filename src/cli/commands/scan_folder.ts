/**
 * `berth scan` of a folder, once its files are read and the analysers are starting.
 *
 * @module
 */
import { basename, resolve } from "node:path";
import type { RepositoryFiles } from "../../repository/archive.ts";
import type { Analysis } from "../../scan/analysis/analysis.ts";
import type { Language, SecurityReport } from "../../scan/schema.ts";
import type { Cli } from "../cli.ts";
import type { FailOn, Format } from "../definitions/choices.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import { createProgress } from "../output/progress.ts";
import { detect } from "../project/detect.ts";
import { findClone } from "../project/git.ts";
import { MANIFEST } from "../project/manifest.ts";
import { scanLocally } from "../scan/local.ts";
import { plainPath } from "../../registry/schema.ts";
import { readIfThere } from "../../files.ts";
import { validManifest } from "./validate.ts";

export interface ScanOptions {
  failOn: FailOn;
  format?: Format | undefined;
  entrypoint?: string | undefined;
  lang?: Language | undefined;
  output?: string | undefined;
}

/** What to scan in `folder`: what the manifest says, else what the files tell. */
async function subject(folder: string, files: RepositoryFiles, options: ScanOptions) {
  const named = options.entrypoint === undefined ? undefined : plainPath(options.entrypoint);
  const clone = await findClone(folder);
  const origin = { url: clone?.url ?? null, commit: clone?.commit ?? null };
  if (await readIfThere(resolve(folder, MANIFEST)) !== null) {
    const manifest = await validManifest(folder);
    return {
      files,
      ...origin,
      name: manifest.name,
      lang: options.lang ?? manifest.lang,
      entrypoint: named ?? manifest.entrypoint,
      tools: manifest.tools?.names ?? null,
    };
  }
  const seen = await detect(folder, files);
  const entrypoint = named ?? seen.entrypoint;
  const lang = options.lang ?? seen.lang;
  if (entrypoint === undefined || lang === undefined) {
    throw usageError(
      `No server found in ${folder}`,
      "Specify it with --entrypoint FILE --lang LANGUAGE",
    );
  }
  return { files, ...origin, name: seen.name ?? basename(folder), lang, entrypoint, tools: null };
}

/** Scans `folder` (absolute), whose files are `files`. */
export async function scanFolder(
  cli: Cli,
  analysis: Analysis,
  folder: string,
  files: RepositoryFiles,
  options: ScanOptions,
): Promise<SecurityReport> {
  const input = await subject(folder, files, options);
  if (!input.files.has(input.entrypoint)) {
    throw new CliError(EXIT.failure, `File not found: ${input.entrypoint} in ${folder}`, {
      hint: "Choose the file that starts the server with --entrypoint",
    });
  }
  const progress = createProgress(cli);
  try {
    return await scanLocally(
      cli.context,
      analysis,
      input,
      (stages) => progress.update(stages),
    );
  } finally {
    progress.finish();
  }
}
