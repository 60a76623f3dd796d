/**
 * Processes of this machine, as Linux tells of them.
 *
 * @module
 */
import { parseProc } from "../../src/sandbox/usage.ts";

/** The text of a file below `/proc`, empty when its process is gone. */
export async function textOf(path: string): Promise<string> {
  return await Deno.readTextFile(path).catch(() => "");
}

/**
 * The niceness of the group that the kernel keeps for a process's session (autogroup), or null: of a
 * kernel without them, and of a process whose session was never made, as init's own.
 */
export async function groupNiceness(pid: number): Promise<number | null> {
  const found = /nice (-?\d+)/.exec(await textOf(`/proc/${pid}/autogroup`))?.[1];
  return found === undefined ? null : Number(found);
}

/** Whether the kernel groups processes by session: a process that leads one tells. */
export async function groupsSessions(): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  const { stdout } = await new Deno.Command("setsid", {
    args: ["--wait", "cat", "/proc/self/autogroup"],
    stdin: "null",
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout).includes("nice");
}

/** Processes below `root`, without itself. */
export async function descendants(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await textOf(`/proc/${name}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    if (parent > 0) parents.set(Number(name), parent);
  }
  const found = [root];
  for (const pid of found) {
    for (const [child, parent] of parents) if (parent === pid) found.push(child);
  }
  return found.slice(1);
}

/** Milliseconds of processor time that `root` and the processes below it have used. */
export async function processorMs(root: number): Promise<number> {
  let sum = 0;
  for (const pid of [root, ...await descendants(root)]) {
    const text = `${await textOf(`/proc/${pid}/stat`)}\n${await textOf(`/proc/${pid}/status`)}`;
    sum += parseProc(text).get(pid)?.processorMs ?? 0;
  }
  return sum;
}

/** The process that works: the one behind that of its namespace, where it has one. */
export async function insideOf(pid: number): Promise<number> {
  const [inside] = (await textOf(`/proc/${pid}/task/${pid}/children`)).split(" ").filter(Boolean);
  return inside === undefined ? pid : Number(inside);
}
