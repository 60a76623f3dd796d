/**
 * Whether Deno's caches in a folder were filled for the code as it is now: filling them takes seconds
 * of a processor, and they stay from one start of the service to the next.
 *
 * @module
 */
import { join } from "node:path";
import { ROOT } from "./walls.ts";

const STAMP = "berth_analysis_filled";
const FOLDERS = ["workers/analysis", "workers/wire"];

async function codeBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) found.push(...await codeBelow(path));
    else {
      const { mtime, size } = await Deno.stat(path);
      found.push(`${path} ${size} ${mtime?.getTime()}`);
    }
  }
  return found;
}

/** A digest of what the caches depend on. */
async function stampOfCode(flags: readonly string[]): Promise<string> {
  const code = (await Promise.all(FOLDERS.map((each) => codeBelow(`${ROOT}${each}`)))).flat();
  const { size, mtime } = await Deno.stat(`${ROOT}deno.lock`);
  const text = [Deno.version.deno, ...flags, `${size} ${mtime?.getTime()}`, ...code.sort()];
  const bytes = new TextEncoder().encode(text.join("\n"));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/**
 * Has `fill` fill the caches in `folder`, unless that was done for this code and these flags of the
 * engine. `fill` says whether it did all of it.
 */
export async function fillOnce(
  folder: string,
  flags: readonly string[],
  fill: () => Promise<boolean>,
): Promise<void> {
  const path = join(folder, STAMP);
  const stamp = await stampOfCode(flags);
  if (await Deno.readTextFile(path).catch(() => null) === stamp) return;
  if (await fill()) await Deno.writeTextFile(path, stamp);
}
