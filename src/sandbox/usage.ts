/**
 * What processes use, as the system says: nothing that a sandboxed process says about itself counts.
 *
 * @module
 */
import { SHELL } from "./control_group.ts";

/** Memory and processor time of a process. */
export interface Usage {
  /** Bytes of memory that are resident. */
  memory: number;
  /** Milliseconds of processor time since its start. */
  processorMs: number;
}

/**
 * Reads what the processes with these ids use, on Linux with what each has started: that is where a
 * process in a namespace of its own is. Those that are gone are left out. Rejects when the system
 * has no way to tell.
 */
export type ReadUsage = (pids: readonly number[]) => Promise<Map<number, Usage>>;

const TIMEOUT_MS = 30_000;
const KB = 1024;
// What Linux reports these in, whatever the machine (USER_HZ).
const TICK_MS = 10;
// After the name, which is in parentheses and may hold anything.
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** Standard output of a program, also when some of what it was asked for is not there. */
async function outputOf(program: string, args: string[]): Promise<string> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT_MS);
  try {
    const { stdout } = await new Deno.Command(program, {
      args,
      stdin: "null",
      stderr: "null",
      signal: abort.signal,
    }).output();
    return new TextDecoder().decode(stdout);
  } finally {
    clearTimeout(timer);
  }
}

/** Prints `of <pid> <children>` for each process, then what the kernel says of all of them. */
const LOOK = `
files=
for pid
do
  children=
  test -r "/proc/$pid/task/$pid/children" && read -r children < "/proc/$pid/task/$pid/children"
  echo "of $pid $children"
  for each in $pid $children; do files="$files /proc/$each/stat /proc/$each/status"; done
done 2>/dev/null
exec cat $files`;

/** Usage from what {@link LOOK} prints: that of each process and of its children together. */
export function parseLook(text: string): Map<number, Usage> {
  const each = parseProc(text);
  const found = new Map<number, Usage>();
  for (const [, pid, children] of text.matchAll(/^of (\d+) ([\d ]*)$/gm)) {
    const own = each.get(Number(pid));
    if (own === undefined) continue;
    const sum = { ...own };
    for (const child of children!.split(" ")) {
      const used = each.get(Number(child));
      sum.memory += used?.memory ?? 0;
      sum.processorMs += used?.processorMs ?? 0;
    }
    found.set(Number(pid), sum);
  }
  return found;
}

/** Usage from the text of `/proc/<pid>/stat` and `/proc/<pid>/status` of some processes. */
export function parseProc(text: string): Map<number, Usage> {
  const found = new Map<number, Usage>();
  const processorMs = new Map<number, number>();
  let pid = 0;
  for (const line of text.split("\n")) {
    const stat = /^(\d+) \(.*\) (.*)$/.exec(line);
    if (stat !== null) {
      const fields = stat[2]!.split(" ").map(Number);
      processorMs.set(Number(stat[1]), (fields[USER_TICKS]! + fields[SYSTEM_TICKS]!) * TICK_MS);
    }
    pid = Number(/^Pid:\s+(\d+)/.exec(line)?.[1] ?? pid);
    const resident = /^VmRSS:\s+(\d+) kB/.exec(line);
    const used = processorMs.get(pid);
    if (resident !== null && used !== undefined) {
      found.set(pid, { memory: Number(resident[1]) * KB, processorMs: used });
    }
  }
  return found;
}

/** Seconds of `[[days-]hours:]minutes:seconds`. */
function seconds(time: string): number {
  const [clock, days = "0"] = time.split("-").reverse();
  const ofDay = clock!.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return Number(days) * 86_400 + ofDay;
}

/** Usage from the output of `ps -o pid=,rss=,time=`. */
export function parsePs(text: string): Map<number, Usage> {
  const found = new Map<number, Usage>();
  for (const line of text.split("\n")) {
    const fields = /^\s*(\d+)\s+(\d+)\s+([\d:.-]+)\s*$/.exec(line);
    if (fields === null) continue;
    const [, pid, rss, time] = fields;
    found.set(Number(pid), { memory: Number(rss) * KB, processorMs: seconds(time!) * 1000 });
  }
  return found;
}

const SIGNAL = `
test -r "/proc/$2/task/$2/children" && read -r children < "/proc/$2/task/$2/children"
kill -s "$1" \${children:-$2}`;

/**
 * Sends a signal to the process that works: where it is in a namespace of its own, the one behind
 * that which waits for it. What is gone needs no signal.
 */
export async function signalInside(pid: number, signal: string): Promise<void> {
  await outputOf(SHELL, ["-c", SIGNAL, "sh", signal, String(pid)]).catch(() => {});
}

/**
 * Usage as this system tells it. By a program, as Deno lets only what has every permission read
 * `/proc`.
 */
export const readUsage: ReadUsage = async (pids) => {
  if (pids.length === 0) return new Map();
  if (Deno.build.os === "linux") {
    return parseLook(await outputOf(SHELL, ["-c", LOOK, "sh", ...pids.map(String)]));
  }
  return parsePs(await outputOf("ps", ["-o", "pid=,rss=,time=", "-p", pids.join(",")]));
};
