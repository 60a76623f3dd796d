/**
 * Makes the folder that session hosts read: Pyodide's files, the packed Python modules and the
 * snapshot. It is made beside its place and renamed, so that it is there whole or not at all.
 *
 * @module
 */
import { z } from "zod";
import { raiseHostWalls } from "../execution/hosts/walls.ts";
import { type HostOptions, startHost } from "../execution/hosts/process.ts";
import { NO_WALLS } from "../sandbox/walls.ts";
import type { FromHost } from "../../workers/session/messages.ts";
import { writeDurably } from "../files.ts";
import { SetupError, sha256 } from "./files.ts";
import { type Inputs, PYODIDE_FILES, pyodideFile } from "./inputs.ts";
import type { Requirement } from "./requirements.ts";
import { findWheels } from "./wheels.ts";

const PREPARE_TIMEOUT_MS = 300_000;
const PREPARE_MEMORY_MB = 1024;
const PREPARE_HEAP_MB = 1024;
/** What the packing script gives for a package that sessions ask for. */
const PACKAGE = /^\/packages\/([a-z0-9-]+)$/;
const PREPARED_LIMITS = { head: 1 << 20, body: 512 << 20, json: { values: 2000, depth: 4 } };

const index = z.object({
  /** Files that every session gets: path in its file system, name in this folder. */
  files: z.array(z.object({ path: z.string(), name: z.string() })),
  /** Files that a session gets when it asks for a package: package, name in this folder. */
  packages: z.record(z.string(), z.string()),
  lock_info: z.record(z.string(), z.string()),
  /** SHA-256 of every other file in this folder. */
  digests: z.record(z.string(), z.string()),
});
type Index = z.infer<typeof index>;

/** Whether `folder` holds a whole prepared interpreter: every file is there with its digest. */
export async function isPrepared(folder: string): Promise<boolean> {
  try {
    const { digests } = index.parse(JSON.parse(await Deno.readTextFile(`${folder}/index.json`)));
    const good = await Promise.all(
      Object.entries(digests).map(async ([name, digest]) =>
        await sha256(await Deno.readFile(`${folder}/${name}`)) === digest
      ),
    );
    return good.length > 0 && good.every((x) => x);
  } catch {
    return false;
  }
}

type Part = { name: string; bytes: Uint8Array };

function unpack(list: { name: string; bytes: number }[], body: Uint8Array): Part[] {
  if (list.reduce((sum, { bytes }) => sum + bytes, 0) !== body.length) {
    throw new SetupError("The interpreter's files have unexpected lengths");
  }
  let at = 0;
  return list.map(({ name, bytes }) => ({ name, bytes: body.subarray(at, at += bytes) }));
}

/** What hosts of a folder are started with here. */
type PrepareHost = Omit<HostOptions, "walls">;

function hostOptions(interpreter: string, cache: string): PrepareHost {
  return {
    interpreter,
    cache,
    memoryMb: PREPARE_MEMORY_MB,
    heapMb: PREPARE_HEAP_MB,
    dataMb: null,
    limits: PREPARED_LIMITS,
  };
}

/**
 * Boots an interpreter of the finished `folder`, so that hosts find their compiled modules in Deno's
 * cache, where they stand under the modules' paths: behind their walls they cannot write there. Only
 * Berth's own code and Pyodide's runs in it.
 */
export async function fillCache(folder: string, cache: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const host = startHost({ ...hostOptions(folder, cache), walls: NO_WALLS }, () => resolve());
  host.send({ type: "boot", slot: 1, waits: false });
  await Promise.race([promise, host.exited]);
  await host.kill();
}

/** A session host, behind the walls of those that will run sessions, does `task` with `files`. */
async function runTask(
  options: PrepareHost,
  task: "pack" | "snapshot",
  files: Part[],
): Promise<Part[]> {
  const walls = await raiseHostWalls({
    interpreter: options.interpreter,
    sessionsPerHost: 1,
    memoryMb: PREPARE_MEMORY_MB,
    niceness: 0,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Part[]>();
  const host = startHost({ ...options, walls }, (message: FromHost, body: Uint8Array) => {
    if (message.type === "prepared") resolve(unpack(message.parts, body));
    else if (message.type === "fault" || message.type === "ended") {
      reject(new SetupError(`The interpreter snapshot could not be created: ${message.message}`));
    }
  });
  const list = files.map((file) => ({ path: file.name, bytes: file.bytes.length }));
  host.send({ type: "prepare", slot: 1, task, files: list }, files.map((file) => file.bytes));
  host.exited.then(({ stderr, fault }) => {
    reject(new SetupError(`The interpreter could not be started: ${fault ?? stderr.slice(-2000)}`));
  });
  const timer = setTimeout(() => {
    reject(new SetupError(`The snapshot was not created within ${PREPARE_TIMEOUT_MS / 1000} s`));
  }, PREPARE_TIMEOUT_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await host.kill();
  }
}

/** The wheels of `requirements`, each checked once more, whoever has touched the folder since. */
async function readWheels(cache: string, folder: string, requirements: Requirement[]) {
  const found = await findWheels(cache, requirements);
  const parts: Part[] = [];
  for (const { name, digests } of requirements) {
    const file = found.get(name);
    const bytes = file === undefined ? null : await Deno.readFile(`${cache}/${file}`);
    if (bytes === null || !digests.includes(await sha256(bytes))) {
      throw new SetupError(`The wheel of ${name} changed while setup was running. Run setup again`);
    }
    parts.push({ name: `${folder}/${file}`, bytes });
  }
  return parts;
}

/** Fills the empty `folder`. `wheels` holds the checked wheels, `cache` is Deno's for the hosts. */
export async function makeInterpreter(
  folder: string,
  input: { inputs: Inputs; wheels: string; cache: string },
): Promise<void> {
  const digests: Record<string, string> = {};
  async function put(name: string, bytes: Uint8Array) {
    await writeDurably(`${folder}/${name}`, bytes);
    digests[name] = await sha256(bytes);
  }
  async function putIndex(content: Index) {
    await writeDurably(
      `${folder}/index.json`,
      new TextEncoder().encode(JSON.stringify(content, null, 2)),
    );
  }

  const pyodide = await Promise.all(PYODIDE_FILES.map(async (name) => ({
    name,
    bytes: await Deno.readFile(pyodideFile(name)),
  })));
  for (const { name, bytes } of pyodide) await put(name, bytes);
  const lock = JSON.parse(await Deno.readTextFile(pyodideFile("pyodide-lock.json")));
  const lockInfo = z.record(z.string(), z.string()).parse(lock.info);
  await putIndex({ files: [], packages: {}, lock_info: lockInfo, digests });

  const files: Part[] = [{ name: "build.py", bytes: input.inputs.buildScript }, ...pyodide];
  files.push(...await readWheels(input.wheels, "wheels", input.inputs.requirements));
  files.push(...await readWheels(input.wheels, "packages", input.inputs.packages));
  for (const { path, bytes } of input.inputs.python) files.push({ name: `python/${path}`, bytes });

  const options = hostOptions(folder, input.cache);
  const parts = await runTask(options, "pack", files);
  const sessionFiles: Index["files"] = [];
  const packages: Index["packages"] = {};
  const inSession: Part[] = [];
  for (const [i, part] of parts.entries()) {
    // Stripped: from here on hosts run only that.
    const isPyodide = pyodide.some(({ name }) => name === part.name);
    const name = isPyodide ? part.name : `file-${i}`;
    await put(name, part.bytes);
    const asked = PACKAGE.exec(part.name)?.[1];
    if (asked !== undefined) packages[asked] = name;
    else if (!isPyodide) {
      sessionFiles.push({ path: part.name, name });
      inSession.push(part);
    }
  }
  for (const { name, bytes } of await runTask(options, "snapshot", inSession)) {
    await put(name, bytes);
  }
  await putIndex({ files: sessionFiles, packages, lock_info: lockInfo, digests });
}
