/**
 * `deno task install`: a `berth` command on the path.
 *
 * @module
 */
import { join } from "node:path";
import type { Cli } from "../cli.ts";
import { commandLine, ROOT } from "../command_line.ts";
import { primeScans } from "../scan/prime.ts";
import type { CliContext } from "../context.ts";
import { keptProgram } from "../kept_program.ts";
import { homeOf } from "../settings/paths.ts";
import { writeWhole } from "../../files.ts";

const COMMON = [".local/bin", "bin", ".deno/bin"];

/** Folders of the PATH variable, in order. */
export function pathFolders(context: CliContext): string[] {
  const separator = context.os === "windows" ? ";" : ":";
  return (context.env("PATH") ?? "").split(separator).filter((folder) => folder !== "");
}

/** Where commands of the user go: a folder that is on the path already, if there is one. */
function chooseFolder(context: CliContext): string {
  const named = context.env("BERTH_INSTALL_DIR");
  if (named !== undefined) return named;
  const home = homeOf(context);
  const candidates = COMMON.map((folder) => join(home, folder));
  const onPath = pathFolders(context);
  return candidates.find((folder) => onPath.includes(folder)) ?? candidates[0]!;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * The script that starts `berth` of the clone at `root`, where there is a shell. Deno looks at each
 * package whether it is installed, which takes longer than most commands: only where the list of
 * them is newer than the folder that Deno keeps them in.
 *
 * @param args Those of `program`, a Deno: `run` and what follows it.
 */
export function shellScript(
  { program, args: [run = "run", ...args] }: { program: string; args: string[] },
  root: string,
): string {
  return [
    "#!/bin/sh",
    "# Starts berth; written by: deno task install",
    `deno=${quoted(program)}`,
    // It may have been removed meanwhile.
    '[ -x "$deno" ] || deno=deno',
    "packages=auto",
    `[ ${quoted(`${root}/node_modules/.deno`)} -nt ${
      quoted(`${root}/deno.lock`)
    } ] && packages=manual`,
    `exec "$deno" ${run} --node-modules-dir="$packages" ${args.map(quoted).join(" ")} "$@"`,
    "",
  ].join("\n");
}

async function scriptOf(context: CliContext): Promise<string> {
  const { program: running, args } = commandLine();
  const program = await keptProgram(context, running);
  return context.os === "windows"
    ? `@echo off\r\n"${program}" ${args.map((arg) => `"${arg}"`).join(" ")} %*\r\n`
    : shellScript({ program, args }, ROOT);
}

/** Installs the `berth` command in a folder on PATH. */
export async function selfInstall(cli: Cli): Promise<void> {
  const { context, output } = cli;
  const folder = chooseFolder(context);
  const path = join(folder, context.os === "windows" ? "berth.cmd" : "berth");
  await writeWhole(path, await scriptOf(context), { mode: 0o755 });
  await Deno.chmod(path, 0o755).catch(() => {});
  output.done(`Installed ${path}`);
  if (!pathFolders(context).includes(folder)) {
    output.warn(
      `${folder} is not on your PATH. Add  export PATH="${folder}:$PATH"  to your shell profile`,
    );
  }
  await primeScans(cli);
  output.note("Next: berth completion --help, berth doctor");
}
