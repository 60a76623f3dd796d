/**
 * The command line of a session host: Deno without permissions, where there is a POSIX shell under
 * limits of the system.
 *
 * @module
 */
import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { HOST_MODULE, importMapUrl } from "./import_map.ts";

/** What the command line is made of. */
export interface LaunchOptions {
  /** Folder that setup made, absolute; the host's working directory. */
  interpreter: string;
  /** Most megabytes of each V8 heap in the process. */
  heapMb: number;
  /** Most megabytes of data the process may map; null: no limit. */
  dataMb: number | null;
  /** Main module. */
  module: URL;
}

const SHELL = "/bin/sh";
const KB_PER_MB = 1024;
// Limits are best effort: a container may forbid them, and Berth then runs without.
const UNDER_LIMITS = [
  "ulimit -c 0 2>/dev/null",
  'test "$1" = 0 || ulimit -d "$1" 2>/dev/null',
  "shift",
  'exec "$@"',
].join("; ");

// What a process maps without using it, measured on Deno 2.9.6: 650 MB at first, then 620 MB for
// each worker.
const BASE_DATA_MB = 900;
const SESSION_DATA_MB = 640;
const SESSION_SPARE_MB = 128;

/**
 * The data limit of a host: enough for all its sessions to be at their ceilings. It stops what the
 * ceilings of linear memory and V8 heap do not cover, such as array buffers.
 */
export function dataLimitMb(sessions: number, memoryMb: number): number {
  return BASE_DATA_MB + sessions * (SESSION_DATA_MB + memoryMb + SESSION_SPARE_MB);
}

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

/** The program to start and its arguments. */
export function launchCommand(options: LaunchOptions): [program: string, args: string[]] {
  const deno = [Deno.execPath(), ...denoArguments(options)];
  if (!hasShell()) return [deno[0]!, deno.slice(1)];
  const dataKb = (options.dataMb ?? 0) * KB_PER_MB;
  return [SHELL, ["-c", UNDER_LIMITS, "sh", String(dataKb), ...deno]];
}
