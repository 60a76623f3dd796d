/**
 * Prepares what a first start needs: the interpreter's files, Python wheels and the snapshot that
 * sessions boot from. Safe to run from several processes at once and to be stopped at any moment.
 *
 * @module
 */
import { resolve } from "node:path";
import { exists, withLock } from "../files.ts";
import { explainWriteError } from "./files.ts";
import { readInputs } from "./inputs.ts";
import { isPrepared, makeInterpreter, readCatalogue } from "./interpreter.ts";
import type { ImageCatalogue } from "../execution/hosts/images.ts";
import { fillCache } from "./prepare.ts";
import { fetchWheels, WHEEL_SOURCES, type WheelSources } from "./wheels.ts";

/** What {@link ensureSetup} is told. */
export interface SetupOptions {
  dataDir: string;
  /** Takes a line on what is being done; not called when nothing has to be. */
  log?: (line: string) => void;
  /** Takes how many of the packages that are fetched are there. */
  progress?: (done: number, of: number) => void;
  /** Makes everything again. */
  force?: boolean;
  /** Folder of Python modules, for tests; default `workers/python/`. */
  pythonFolder?: URL;
  /** Where wheels come from, for tests. */
  sources?: WheelSources;
}

export interface PreparedInterpreter {
  /** Folder that session hosts read, absolute. */
  folder: string;
  /** Deno's cache folder for the hosts, absolute. */
  cache: string;
  /** What its packages and images are. */
  catalogue: ImageCatalogue;
}

const KEPT_BEFORE = 3;
const READABLE_FOLDER = 0o755;

/** Removes what interrupted setups and earlier versions left, but for the newest few. */
async function tidy(root: string, current: string): Promise<void> {
  const old: { path: string; time: number }[] = [];
  for await (const entry of Deno.readDir(root)) {
    const path = `${root}/${entry.name}`;
    if (!entry.isDirectory || path === current) continue;
    if (entry.name.startsWith(".making-")) await Deno.remove(path, { recursive: true });
    else if (/^[0-9a-f]{20}$/.test(entry.name)) {
      old.push({ path, time: (await Deno.stat(path)).mtime?.getTime() ?? 0 });
    }
  }
  // Not all of them: another version of Berth may be running on this folder.
  const surplus = old.sort((a, b) => b.time - a.time).slice(KEPT_BEFORE);
  for (const { path } of surplus) await Deno.remove(path, { recursive: true });
}

async function make(options: SetupOptions, root: string, folder: string): Promise<void> {
  const log = options.log ?? (() => {});
  const inputs = await readInputs(options.pythonFolder);
  const wheels = `${root}/wheels`;
  const sources = options.sources ?? WHEEL_SOURCES;
  for (
    const [requirements, lockFile] of [
      [inputs.requirements, inputs.lockFile],
      [inputs.packages, inputs.packagesLockFile],
    ] as const
  ) await fetchWheels(sources, { cache: wheels, requirements, lockFile }, log, options.progress);
  log(`creating the interpreter snapshot (Pyodide ${inputs.pyodideVersion})`);
  const making = await Deno.makeTempDir({ dir: root, prefix: ".making-" });
  try {
    // Temporary folders are their owner's alone; hosts may run as another user.
    if (Deno.build.os !== "windows") await Deno.chmod(making, READABLE_FOLDER);
    await makeInterpreter(making, { inputs, wheels, cache: `${root}/cache` });
    if (await exists(folder)) await Deno.remove(folder, { recursive: true });
    await Deno.rename(making, folder);
    await fillCache(folder, `${root}/cache`);
  } catch (error) {
    await Deno.remove(making, { recursive: true }).catch(() => {});
    throw error;
  }
  await tidy(root, folder);
  log(`interpreter ready in ${folder}`);
}

/**
 * The folder of all interpreters, without links on the way: hosts may read what their permissions
 * name, and those are compared with real paths.
 */
async function interpreterRoot(dataDir: string): Promise<string> {
  const root = resolve(dataDir, "interpreter");
  try {
    await Deno.mkdir(root, { recursive: true });
  } catch (error) {
    throw explainWriteError(error, root);
  }
  return await Deno.realPath(root);
}

/**
 * The prepared interpreter of `dataDir`, made now if it is missing or damaged.
 *
 * @throws {SetupError} When it cannot be made; the message says what to do.
 */
export async function ensureSetup(options: SetupOptions): Promise<PreparedInterpreter> {
  const root = await interpreterRoot(options.dataDir);
  const { digest } = await readInputs(options.pythonFolder);
  const folder = `${root}/${digest}`;
  if (options.force || !await isPrepared(folder)) {
    try {
      await withLock(`${root}/lock`, async () => {
        // Another process may have made it while this one waited.
        if (options.force || !await isPrepared(folder)) await make(options, root, folder);
      });
    } catch (error) {
      throw explainWriteError(error, root);
    }
  }
  return { folder, cache: `${root}/cache`, catalogue: await readCatalogue(folder) };
}
