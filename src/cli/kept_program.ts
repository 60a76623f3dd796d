/**
 * A program that stays where it is: configurations of other programs name it, and are read long
 * after the package runner that brought it has emptied its cache.
 *
 * @module
 */
import { join } from "node:path";
import type { CliContext } from "./context.ts";
import { programsFolder } from "./settings/paths.ts";

/** Folders in which package runners keep what they may delete: npx, pnpm, yarn, bunx, uvx. */
const CACHE =
  /[/\\](?:_npx|npm-cache|\.cache|[Cc]aches?|dlx(?:-[^/\\]*)?|bunx-[^/\\]*|xfs-[^/\\]*)[/\\]/;

/** Whether `path` is in the cache of a package runner. */
export function isInCache(path: string): boolean {
  return CACHE.test(path);
}

async function sizeOf(path: string): Promise<number | null> {
  return (await Deno.stat(path).catch(() => null))?.size ?? null;
}

/**
 * The path of `program`, a Deno: itself where it stays, else that of a second name for the same
 * file, or of a copy where the file system has no such names, in the user's own data.
 */
export async function keptProgram(context: CliContext, program: string): Promise<string> {
  if (!isInCache(program)) return program;
  const folder = programsFolder(context);
  const ending = context.os === "windows" ? ".exe" : "";
  const path = join(folder, `deno-${Deno.version.deno}${ending}`);
  if (await sizeOf(path) === await sizeOf(program)) return path;
  await Deno.mkdir(folder, { recursive: true });
  const beside = `${path}.${crypto.randomUUID()}.new`;
  try {
    await Deno.link(program, beside).catch(() => Deno.copyFile(program, beside));
    await Deno.rename(beside, path);
  } catch (error) {
    await Deno.remove(beside).catch(() => {});
    throw error;
  }
  return path;
}
