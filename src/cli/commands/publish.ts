/**
 * `berth publish`.
 *
 * @module
 */
import { resolve } from "node:path";
import type { CreateServer } from "../../registry/schema.ts";
import type { Cli } from "../cli.ts";
import { type Api, ApiFailure } from "../client/api.ts";
import { waitForScan } from "../client/scans.ts";
import { getServer, type Server, ServerAnswer } from "../client/server.ts";
import { CliError, type ExitCode } from "../failure.ts";
import type { FailOn, VisibilityName } from "../definitions/choices.ts";
import { tellBuild } from "../reports/build.ts";
import { tellDecision } from "../reports/decision.ts";
import { tellVerdict } from "../reports/verdict.ts";
import { validManifest } from "./validate.ts";

const BUILD_WAIT_MS = 60_000;
const POLL_MS = 1000;

/** The server as it is now; where another node is still to try it, when that has, or a minute later. */
async function withItsBuild(cli: Cli, api: Api, name: string): ReturnType<typeof getServer> {
  const { output, context } = cli;
  const signal = context.interrupted();
  let answer = await getServer(api, name);
  const isPending = () => answer.server.security_report.compatibility?.build?.pending === true;
  if (isPending()) output.note("Waiting for a node that runs servers to try it …");
  for (let waited = 0; isPending() && waited < BUILD_WAIT_MS; waited += POLL_MS) {
    await context.sleep(POLL_MS, signal);
    answer = await getServer(api, name);
  }
  return answer;
}

export interface PublishOptions {
  dryRun?: true | undefined;
  failOn: FailOn;
  mustRun?: true | undefined;
  visibility?: VisibilityName | undefined;
}

async function findServer(api: Api, name: string): Promise<Server | null> {
  try {
    return (await api.read(`/servers/${name}`, ServerAnswer)).data.server;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}

/** Says what to do where only this command knows. */
function explain(error: unknown, manifest: CreateServer, existed: boolean): unknown {
  if (!(error instanceof ApiFailure)) return error;
  if (existed && error.status === 403) {
    return new CliError(
      error.exit,
      `The name "${manifest.name}" is already taken by another author`,
      {
        body: error.body,
        hint:
          `Choose another name in berth.json, or find its owner with berth show ${manifest.name}`,
      },
    );
  }
  if (!existed && error.status === 409) {
    return new CliError(error.exit, error.message, {
      body: error.body,
      hint:
        "Choose another name in berth.json, or try again later if someone else is publishing it",
    });
  }
  return error;
}

/**
 * Sends the manifest, and has what the repository holds now scanned: an update with the same version
 * and entrypoint alone would leave a new commit unseen.
 */
async function send(cli: Cli, api: Api, manifest: CreateServer, existed: boolean): Promise<void> {
  const { name } = manifest;
  const response = await api.send(existed ? `/servers/${name}` : "/servers", {
    method: existed ? "PUT" : "POST",
    body: manifest,
    headers: { prefer: "respond-async" },
    auth: "required",
  });
  const isScanned = response.status === 202;
  if (!isScanned) await response.body?.cancel();
  const scanning = isScanned
    ? response
    : await api.send(`/servers/${name}/rescan`, { method: "POST", auth: "required" });
  await waitForScan(cli, api, scanning);
}

/** Registers or updates the server that the folder's manifest describes. */
export async function publish(
  cli: Cli,
  where: string,
  options: PublishOptions,
): Promise<ExitCode | void> {
  const { visibility } = options;
  const described = await validManifest(resolve(cli.context.cwd(), where));
  const manifest = visibility === undefined ? described : { ...described, visibility };
  const { name, version } = manifest;
  const api = await cli.api();
  const before = await findServer(api, name);
  const existed = before !== null;
  if (options.dryRun) {
    const action = existed ? "update" : "create";
    cli.output.data(
      { status: "success", action, server: manifest },
      () => `Would ${action} ${name} ${version} at ${api.registry}\n`,
    );
    return;
  }
  try {
    await send(cli, api, manifest, existed);
  } catch (error) {
    throw explain(error, manifest, existed);
  }
  const { body, server } = await withItsBuild(cli, api, name);
  if (cli.output.json) cli.output.data(body, () => "");
  const changed = existed && before.version !== version ? ` (was ${before.version})` : "";
  cli.output.done(`${existed ? "Updated" : "Published"} ${name} ${version}${changed}`);
  cli.output.note(`${api.registry}/servers/${name}`);
  const exit = tellVerdict(cli, server.security_report, options.failOn);
  tellDecision(cli, server);
  tellBuild(cli, server.security_report, options.mustRun);
  return exit;
}
