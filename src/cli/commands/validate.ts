/**
 * `berth validate`.
 *
 * @module
 */
import { resolve } from "node:path";
import { CreateServer } from "../../registry/schema.ts";
import type { Cli } from "../cli.ts";
import { checkAgainstFolder } from "../project/check.ts";
import { readFolder } from "../project/folder.ts";
import { invalidManifest, MANIFEST, manifestFaults, readManifest } from "../project/manifest.ts";

/**
 * The manifest in `folder`, which must be one that a registry takes.
 *
 * @throws {CliError} With every fault.
 */
export async function validManifest(folder: string): Promise<CreateServer> {
  const content = await readManifest(folder);
  const faults = manifestFaults(content);
  if (faults.length > 0) throw invalidManifest(faults);
  return CreateServer.parse(content);
}

/** Checks the manifest, by itself and against the folder; every fault at once. */
export async function validate(cli: Cli, where: string): Promise<void> {
  const folder = resolve(cli.context.cwd(), where);
  const manifest = await validManifest(folder);
  const { faults, notes } = await checkAgainstFolder(
    cli.context,
    manifest,
    folder,
    await readFolder(folder),
  );
  for (const { path, message } of notes) cli.output.warn(`${path}: ${message}`);
  if (faults.length > 0) throw invalidManifest(faults);
  if (cli.output.json) cli.output.data({ status: "success", warnings: notes }, () => "");
  cli.output.done(`${MANIFEST} of ${manifest.name} ${manifest.version} is valid`);
}
