/**
 * The command line of a sandboxed process: Deno behind the walls of the system, where there is a
 * POSIX shell under its limits too.
 *
 * @module
 */
import { basename, dirname } from "node:path";
import { JOIN_GROUP, SHELL } from "./control_group.ts";
import type { Place, Walls } from "./walls.ts";

/** What the command line is made of. */
export interface LaunchOptions {
  walls: Walls;
  /** Most megabytes of data the process may map; null: no limit. */
  dataMb: number | null;
  /** Niceness of its group in place of that of the walls. */
  groupNiceness?: number | undefined;
  /** Deno's arguments. */
  args: readonly string[];
}

/** A command to start, and what to do once the process is gone. */
export interface Launch extends Pick<Place, "leave"> {
  program: string;
  args: string[];
}

const KB_PER_MB = 1024;
// Arguments: folder of control groups and a group's most megabytes and processes, kilobytes of data,
// niceness; the rest is the command. All best effort: a container may forbid it, and Berth then
// runs without. The kernel is told to end these processes before anything else when memory is short,
// and to give way for others also where it groups processes by session.
const UNDER_LIMITS = `
${JOIN_GROUP}
echo 800 2>/dev/null > /proc/self/oom_score_adj
echo "$5" 2>/dev/null > /proc/self/autogroup
ulimit -c 0 2>/dev/null
test "$4" = 0 || ulimit -d "$4" 2>/dev/null
shift 5
exec "$@"`;

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
export function launchCommand({ walls, dataMb, groupNiceness, args }: LaunchOptions): Launch {
  const deno = [denoProgram(), ...args];
  if (!hasShell()) return { program: deno[0]!, args: deno.slice(1), leave() {} };
  const { groups, niceness } = walls;
  const { prefix, leave } = walls.enter(dataMb);
  const given = [
    groups?.folder ?? "",
    groups?.memoryMb ?? 0,
    groups?.processes ?? 0,
    (dataMb ?? 0) * KB_PER_MB,
    groupNiceness ?? niceness,
  ].map(String);
  return { program: SHELL, args: ["-c", UNDER_LIMITS, "sh", ...given, ...prefix, ...deno], leave };
}
