/**
 * `berth init`.
 *
 * @module
 */
import { join, resolve } from "node:path";
import type { Cli } from "../cli.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import { oneLine } from "../output/terminal_text.ts";
import { pairs } from "../output/table.ts";
import { detect } from "../project/detect.ts";
import { isFolder, readFolder } from "../project/folder.ts";
import { invalidManifest, MANIFEST, manifestFaults } from "../project/manifest.ts";
import { plainPath } from "../../registry/schema.ts";
import { readIfThere, writeWhole } from "../../files.ts";
import { loader } from "../lazy.ts";

const load = loader<{
  "scan/local": typeof import("../scan/local.ts");
}>();

export interface InitOptions {
  name?: string | undefined;
  version?: string | undefined;
  description?: string | undefined;
  author?: string | undefined;
  lang?: string | undefined;
  license?: string | undefined;
  entrypoint?: string | undefined;
  repository?: string | undefined;
  force?: true | undefined;
}

interface Manifest {
  name?: string;
  version: string;
  description?: string;
  author?: string;
  lang?: string;
  license?: string;
  entrypoint?: string;
  repository?: { type: "git"; url: string };
  tools?: { names: string[] };
}

/** What must be there and is asked for where nothing tells. */
const ASKED = [
  ["name", "Name (lowercase, with hyphens)"],
  ["description", "What does the server do?"],
  ["lang", "Language (python, typescript, javascript, go, rust)"],
  ["license", "License (SPDX, such as MIT)"],
  ["entrypoint", "Entrypoint (file that starts the server)"],
] as const;

function given(options: InitOptions): Partial<Manifest> {
  const { repository, force: _, ...rest } = options;
  const present = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(present),
    ...(repository === undefined ? {} : { repository: { type: "git" as const, url: repository } }),
  };
}

async function askMissing(cli: Cli, manifest: Manifest): Promise<void> {
  if (!cli.asks) return;
  for (const [member, question] of ASKED) {
    if (manifest[member] !== undefined) continue;
    const answer = (await cli.context.ask(`${question}: `))?.trim();
    if (answer) manifest[member] = answer;
  }
  if (manifest.repository === undefined) {
    const url = (await cli.context.ask("Repository (https://…): "))?.trim();
    if (url) manifest.repository = { type: "git", url };
  }
}

/** In the order that people read it. */
function ordered(manifest: Manifest) {
  const { name, version, description, author, lang, license, entrypoint } = manifest;
  const { repository, tools } = manifest;
  return JSON.parse(JSON.stringify({
    name,
    version,
    description,
    author,
    lang,
    license,
    entrypoint,
    repository,
    tools,
  })) as Record<string, unknown>;
}

/**
 * Writes a manifest by what the folder tells; what it does not tell is asked for.
 *
 * @throws {CliError} With every fault of what was written: it is there to be corrected then.
 */
export async function init(cli: Cli, where: string, options: InitOptions): Promise<void> {
  const folder = resolve(cli.context.cwd(), where);
  if (!await isFolder(folder)) throw usageError(`Folder not found: ${folder}`);
  const path = join(folder, MANIFEST);
  if (await readIfThere(path) !== null) {
    const yes = await cli.ensure(`${path} already exists. Replace it?`, options.force, "--force");
    if (!yes) throw new CliError(EXIT.failure, `${path} was left unchanged`);
  }
  const files = await readFolder(folder);
  const manifest: Manifest = { ...await detect(folder, files), ...given(options) };
  await askMissing(cli, manifest);
  if (manifest.entrypoint !== undefined) manifest.entrypoint = plainPath(manifest.entrypoint);
  const { lang, entrypoint } = manifest;
  if (lang !== undefined && entrypoint !== undefined && files.has(entrypoint)) {
    const { findTools } = await load("scan/local");
    const names = await findTools(cli.context, { files, lang: lang as "python", entrypoint });
    if (names.length > 0) manifest.tools = { names };
  }
  const content = ordered(manifest);
  await writeWhole(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o644 });
  if (cli.output.json) cli.output.data(content, () => "");
  else if (cli.context.terminals.err && !cli.output.quiet) {
    cli.context.err(pairs(
      Object.entries(content).map(([key, value]) => [
        key,
        oneLine(typeof value === "string" ? value : JSON.stringify(value), 200),
      ]),
      cli.output.errStyle,
    ));
  }
  cli.output.done(`Wrote ${path}`);
  const faults = manifestFaults(content);
  if (faults.length > 0) throw invalidManifest(faults);
  cli.output.note("Next: berth publish");
}
