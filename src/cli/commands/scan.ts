/**
 * `berth scan`: of a registered server, or of a folder here. What it needs is loaded while the
 * analysers start, which takes as long.
 *
 * @module
 */
import { resolve } from "node:path";
import { detectFiles } from "../../../workers/analysis/facts/detect.ts";
import type { SecurityReport } from "../../scan/schema.ts";
import type { Cli } from "../cli.ts";
import type { Server } from "../client/server.ts";
import { type ExitCode, usageError } from "../failure.ts";
import { loader } from "../lazy.ts";
import { isFolder, readFolder } from "../project/folder.ts";
import { withAnalysis } from "../scan/analysis.ts";
import { isPath } from "../scan/target.ts";
import type { ScanOptions } from "./scan_folder.ts";

const load = loader<{
  "client/scans": typeof import("../client/scans.ts");
  "client/server": typeof import("../client/server.ts");
  "commands/scan_folder": typeof import("../commands/scan_folder.ts");
  "reports/decision": typeof import("../reports/decision.ts");
  "reports/build": typeof import("../reports/build.ts");
  "reports/show": typeof import("../reports/show.ts");
  "reports/verdict": typeof import("../reports/verdict.ts");
}>();

async function scanHere(cli: Cli, where: string, options: ScanOptions): Promise<SecurityReport> {
  const folder = resolve(cli.context.cwd(), where);
  const files = await readFolder(folder);
  const lang = options.lang ?? detectFiles(files, {}).lang;
  return await withAnalysis(cli.context, async (analysis) => {
    if (lang !== undefined) analysis.expect(lang);
    // So that it is told before loading keeps this thread busy.
    await new Promise((resolve) => setTimeout(resolve));
    const { scanFolder } = await load("commands/scan_folder");
    return await scanFolder(cli, analysis, folder, files, options);
  });
}

/** Has the registry scan its server again; the server as it is then. */
async function scanServer(cli: Cli, name: string): Promise<Server> {
  const { checkName, getServer } = await load("client/server");
  const { waitForScan } = await load("client/scans");
  const api = await cli.api();
  const response = await api.send(`/servers/${checkName(name)}/rescan`, {
    method: "POST",
    auth: "required",
  });
  await waitForScan(cli, api, response);
  return (await getServer(api, name)).server;
}

async function meansFolder(cli: Cli, target: string): Promise<boolean> {
  if (!isPath(target)) return false;
  if (await isFolder(resolve(cli.context.cwd(), target))) return true;
  throw usageError(`Folder not found: ${target}`);
}

async function show(
  cli: Cli,
  report: SecurityReport,
  { output, format = cli.output.json ? "json" : undefined }: ScanOptions,
): Promise<void> {
  if (output === undefined && format === undefined) return;
  const { showReport } = await load("reports/show");
  if (output === undefined) return await showReport(cli, report, report, format!);
  const path = resolve(cli.context.cwd(), output);
  let text = "";
  const context = { ...cli.context, out: (part: string) => text += part };
  await showReport({ ...cli, context }, report, report, format ?? "json");
  await Deno.writeTextFile(path, text);
  cli.output.done(`Wrote ${path}`);
}

/** Scans, tells of the verdict, and shows the report where one was asked for. */
export async function scan(cli: Cli, target: string, options: ScanOptions): Promise<ExitCode> {
  const local = await meansFolder(cli, target);
  const server = local ? null : await scanServer(cli, target);
  const report = server?.security_report ?? await scanHere(cli, target, options);
  await show(cli, report, options);
  const { tellVerdict } = await load("reports/verdict");
  const isShown = options.format !== undefined && options.output === undefined;
  const exit = tellVerdict(cli, report, options.failOn, isShown);
  if (server !== null) (await load("reports/decision")).tellDecision(cli, server);
  const { tellBuild } = await load("reports/build");
  tellBuild(cli, report);
  return exit;
}
