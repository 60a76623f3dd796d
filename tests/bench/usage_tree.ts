/**
 * What this process and everything it started use, on Linux, for measurements.
 *
 * @module
 */
import { readUsage } from "../../src/sandbox/usage.ts";

const TICK_S = 0.01;
// Fields of /proc/<pid>/stat after the name (proc_pid_stat(5)): the parent, own time, and that of
// children that have ended.
const PARENT = 1;
const TIMES = [11, 12, 13, 14];

async function statOf(pid: number | "self"): Promise<string[] | null> {
  try {
    const text = await Deno.readTextFile(`/proc/${pid}/stat`);
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

/** Ids of what this process started and what that started, as far as it still runs. */
export async function descendants(): Promise<number[]> {
  const children = new Map<number, number[]>();
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number((await statOf(Number(name)))?.[PARENT] ?? NaN);
    children.set(parent, [...children.get(parent) ?? [], Number(name)]);
  }
  const found: number[] = [];
  const queue = [...children.get(Deno.pid) ?? []];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    found.push(pid);
    queue.push(...children.get(pid) ?? []);
  }
  return found;
}

/** Processor seconds of this process and of everything it started, ended or not. */
export async function processorSeconds(): Promise<number> {
  const time = (fields: string[] | null) =>
    TIMES.reduce((sum, at) => sum + Number(fields?.[at] ?? 0), 0) * TICK_S;
  const living = await Promise.all(
    (await descendants()).map(async (pid) => time(await statOf(pid))),
  );
  return time(await statOf("self")) + living.reduce((sum, each) => sum + each, 0);
}

/** Wall seconds, processor seconds, and the most that one started process had resident, in bytes. */
export interface Measured<T> {
  result: T;
  wall: number;
  processor: number;
  peak: number;
}

const LOOK_EVERY_MS = 100;

/** Runs `body` and tells what it took. */
export async function measured<T>(body: () => Promise<T>): Promise<Measured<T>> {
  let peak = 0;
  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    const used = await readUsage(await descendants()).catch(() => new Map());
    for (const { memory } of used.values()) peak = Math.max(peak, memory);
    looking = false;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  const before = await processorSeconds();
  const started = performance.now();
  try {
    const result = await body();
    const wall = (performance.now() - started) / 1000;
    return { result, wall, processor: await processorSeconds() - before, peak };
  } finally {
    clearInterval(timer);
  }
}
