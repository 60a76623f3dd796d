/**
 * `berth scan`: of a registered server, or of a folder here.
 *
 * @module
 */
import { basename, resolve } from "node:path";
import type { Language, SecurityReport } from "../../scan/schema.ts";
import type { Cli } from "../cli.ts";
import { waitForScan } from "../client/scans.ts";
import { checkName, getServer } from "../client/server.ts";
import { CliError, EXIT, type ExitCode, usageError } from "../failure.ts";
import { createProgress } from "../output/progress.ts";
import { detect } from "../project/detect.ts";
import { isFolder, readFolder } from "../project/folder.ts";
import { findClone } from "../project/git.ts";
import { MANIFEST } from "../project/manifest.ts";
import type { FailOn, Format } from "../definitions/choices.ts";
import { showReport } from "../reports/show.ts";
import { tellVerdict } from "../reports/verdict.ts";
import { readIfThere } from "../settings/files.ts";
import { scanLocally } from "../scan/local.ts";
import { validManifest } from "./validate.ts";

/** Options of the command. */
export interface ScanOptions {
  failOn: FailOn;
  format?: Format | undefined;
  entrypoint?: string | undefined;
  lang?: Language | undefined;
  output?: string | undefined;
}

/** What to scan in `folder`: what the manifest says, else what the files tell. */
async function subject(folder: string, options: ScanOptions) {
  const files = await readFolder(folder);
  const clone = await findClone(folder);
  const origin = { url: clone?.url ?? null, commit: clone?.commit ?? null };
  if (await readIfThere(resolve(folder, MANIFEST)) !== null) {
    const manifest = await validManifest(folder);
    return {
      files,
      ...origin,
      name: manifest.name,
      lang: options.lang ?? manifest.lang,
      entrypoint: options.entrypoint ?? manifest.entrypoint,
      tools: manifest.tools?.names ?? null,
    };
  }
  const seen = await detect(folder, files);
  const entrypoint = options.entrypoint ?? seen.entrypoint;
  const lang = options.lang ?? seen.lang;
  if (entrypoint === undefined || lang === undefined) {
    throw usageError(
      `Nothing in ${folder} looks like a server`,
      "--entrypoint FILE --lang LANGUAGE",
    );
  }
  return { files, ...origin, name: seen.name ?? basename(folder), lang, entrypoint, tools: null };
}

async function scanFolder(cli: Cli, where: string, options: ScanOptions): Promise<SecurityReport> {
  const folder = resolve(cli.context.cwd(), where);
  const input = await subject(folder, options);
  if (!input.files.has(input.entrypoint)) {
    throw new CliError(EXIT.failure, `There is no file ${input.entrypoint} in ${folder}`, {
      hint: "--entrypoint names the file that runs",
    });
  }
  const progress = createProgress(cli);
  try {
    return await scanLocally(cli.context, input, (stages) => progress.update(stages));
  } finally {
    progress.finish();
  }
}

/** Has the registry scan its server again; the report that it has then. */
async function scanServer(cli: Cli, name: string): Promise<SecurityReport> {
  const api = await cli.api();
  const response = await api.send(`/servers/${checkName(name)}/rescan`, {
    method: "POST",
    auth: "required",
  });
  await waitForScan(cli, api, response);
  return (await getServer(api, name)).server.security_report;
}

/** Whether `target` means a folder: a path, or `.`; a name means a server, whatever is here. */
async function meansFolder(cli: Cli, target: string): Promise<boolean> {
  if (!/[/\\]|^\.\.?$/.test(target)) return false;
  if (await isFolder(resolve(cli.context.cwd(), target))) return true;
  throw usageError(`There is no folder ${target}`);
}

/** Scans, tells of the verdict, and shows the report where one was asked for. */
export async function scan(cli: Cli, target: string, options: ScanOptions): Promise<ExitCode> {
  const local = await meansFolder(cli, target);
  const report = local ? await scanFolder(cli, target, options) : await scanServer(cli, target);
  const format = options.format ?? (cli.output.json ? "json" : undefined);
  if (options.output !== undefined) {
    const path = resolve(cli.context.cwd(), options.output);
    let text = "";
    const context = { ...cli.context, out: (part: string) => text += part };
    await showReport({ ...cli, context }, report, report, format ?? "json");
    await Deno.writeTextFile(path, text);
    cli.output.done(`Wrote ${path}`);
  } else if (format !== undefined) {
    await showReport(cli, report, report, format);
  }
  return tellVerdict(cli, report, options.failOn);
}
