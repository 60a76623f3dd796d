/**
 * Tidies the folders of images that this node made.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { madeFolderOf } from "../../../workers/session/made_folder.ts";
import { exists } from "../../files.ts";

/** Another version of Berth may be running on the same folder. */
const UNUSED_MS = 24 * 60 * 60_000;

/** When something in the folder was last used, in milliseconds. */
async function lastUseOf(folder: string): Promise<number> {
  let last = 0;
  for await (const { name } of Deno.readDir(folder)) {
    const { mtime } = await Deno.stat(join(folder, name));
    last = Math.max(last, mtime?.getTime() ?? 0);
  }
  return last;
}

/** Removes the images of other interpreters that are no more, or whose images nobody uses. */
export async function tidyMade(interpreter: string, now: Date): Promise<void> {
  const own = madeFolderOf(interpreter);
  const root = dirname(own);
  if (!await exists(root)) return;
  for await (const { name } of Deno.readDir(root)) {
    const folder = join(root, name);
    if (folder === own) continue;
    const isUsed = await exists(join(dirname(interpreter), name)) &&
      now.getTime() - await lastUseOf(folder) < UNUSED_MS;
    if (!isUsed) await Deno.remove(folder, { recursive: true });
  }
}
