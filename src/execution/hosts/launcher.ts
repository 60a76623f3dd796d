/**
 * The command line of a session host: Deno without permissions, where there is a POSIX shell under
 * limits of the system.
 *
 * @module
 */
import { basename, dirname, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { JOIN_GROUP } from "./control_group.ts";
import { HOST_MODULE, importMapUrl } from "./import_map.ts";
import type { Walls } from "./walls.ts";

/** What the command line is made of. */
export interface LaunchOptions {
  /** Folder that setup made, absolute; the host's working directory. */
  interpreter: string;
  /** Most megabytes of each V8 heap in the process. */
  heapMb: number;
  /** Most megabytes of data the process may map; null: no limit. */
  dataMb: number | null;
  walls: Walls;
  /** Main module. */
  module: URL;
}

const SHELL = "/bin/sh";
const KB_PER_MB = 1024;
// Arguments: folder of control groups and a group's most megabytes and processes, kilobytes of data,
// niceness; the rest is the command. All best effort: a container may forbid it, and Berth then
// runs without. The kernel is told to end hosts before anything else when memory is short, and to
// give way for others also where it groups processes by session.
const UNDER_LIMITS = `
${JOIN_GROUP}
echo 800 2>/dev/null > /proc/self/oom_score_adj
echo "$5" 2>/dev/null > /proc/self/autogroup
ulimit -c 0 2>/dev/null
test "$4" = 0 || ulimit -d "$4" 2>/dev/null
shift 5
exec "$@"`;

function denoArguments(options: LaunchOptions): string[] {
  const folder = pathToFileURL(`${options.interpreter}/`);
  const workers = fileURLToPath(new URL("./", HOST_MODULE));
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--no-npm",
    "--no-remote",
    "--cached-only",
    "--unstable-worker-options",
    // Relative to the working directory, which is the interpreter's folder: a comma in its path
    // would end it in this list.
    `--allow-read=.,${relative(options.interpreter, workers)}`,
    `--v8-flags=--max-old-space-size=${options.heapMb}`,
    `--import-map=${importMapUrl(folder, options.module)}`,
    options.module.href,
  ];
}

function hasShell(): boolean {
  try {
    return Deno.statSync(SHELL).isFile;
  } catch {
    return false;
  }
}

/**
 * Deno's own path, written so that it is not the same text: Deno's `node:child_process` looks for
 * that text among the arguments and adds permissions to what it takes for Node's command line.
 */
export function denoProgram(): string {
  const path = Deno.execPath();
  return `${dirname(path)}/./${basename(path)}`;
}

/** The program to start and its arguments. */
export function launchCommand(options: LaunchOptions): [program: string, args: string[]] {
  const deno = [denoProgram(), ...denoArguments(options)];
  if (!hasShell()) return [deno[0]!, deno.slice(1)];
  const { groups, niceness, prefix } = options.walls;
  const given = [
    groups?.folder ?? "",
    groups?.memoryMb ?? 0,
    groups?.processes ?? 0,
    (options.dataMb ?? 0) * KB_PER_MB,
    niceness,
  ].map(String);
  return [SHELL, ["-c", UNDER_LIMITS, "sh", ...given, ...prefix(options.dataMb), ...deno]];
}
