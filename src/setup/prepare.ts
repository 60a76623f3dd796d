/**
 * Has session hosts, behind the walls of those that will run sessions, make what interpreters boot
 * from.
 *
 * @module
 */
import { dataLimitMb } from "../execution/hosts/limits.ts";
import { raiseHostWalls } from "../execution/hosts/walls.ts";
import { type HostOptions, type HostProcess, startHost } from "../execution/hosts/process.ts";
import { settleCache } from "../sandbox/settled_cache.ts";
import { NO_WALLS } from "../sandbox/walls.ts";
import type { SessionPackages } from "../../workers/session/bodies.ts";
import type { GivenPackages } from "../packages/session_packages.ts";
import type { FromHost, MessageOf, TO_HOST } from "../../workers/session/messages.ts";
import { SetupError } from "./files.ts";

/** A file that goes to a host or comes from it. */
export type Part = { name: string; bytes: Uint8Array };

/** A host that prepares: one task after the other, each in an interpreter of its own. */
export interface PreparingHost {
  /** The bytecode of a packed package's sources, packed; none when it has none. */
  compile(packed: Uint8Array): Promise<Part[]>;
  /** What a task made. */
  prepare(
    task: MessageOf<typeof TO_HOST, "prepare">["task"],
    files: readonly Part[],
    image?: { modules: readonly string[]; own: SessionPackages | null },
  ): Promise<Part[]>;
  /** Starts a server of one file with an image, as a session does; says how that ended. */
  tryImage(image: string, source: string, own: GivenPackages | null): Promise<string>;
}

/** What a preparing host may use. */
export interface PreparingBounds {
  /** Most megabytes of linear memory of an interpreter in it. */
  memoryMb: number;
  /** Milliseconds for each task. */
  timeoutMs: number;
  /** Most bytes that a task makes. */
  madeBytes: number;
  /** How far it stands back for everything else. */
  niceness: number;
  /** Ends it. */
  signal?: AbortSignal;
}

const SETUP_BOUNDS: PreparingBounds = {
  memoryMb: 1024,
  timeoutMs: 300_000,
  madeBytes: 512 << 20,
  niceness: 0,
};
const BYTES_PER_MB = 2 ** 20;
const HEAP_MB = 1024;
const INTERPRETERS = 2;
/**
 * So many packages are compiled in one worker, each in an interpreter of its own: starting a worker
 * takes twice as long as that, and the memory of those before may wait for V8's collection.
 */
const COMPILED_IN_WORKER = 10;
const HEAD = { head: 1 << 20, json: { values: 2000, depth: 4 } };

function hostOptions(
  { folder, cache }: { folder: string; cache: string },
  { memoryMb, madeBytes }: PreparingBounds,
): Omit<HostOptions, "walls"> {
  // What it makes is there twice while it is packed.
  const beside = HEAP_MB + 2 * madeBytes / BYTES_PER_MB;
  return {
    interpreter: folder,
    cache,
    memoryMb,
    heapMb: HEAP_MB,
    dataMb: dataLimitMb(INTERPRETERS, memoryMb) + Math.ceil(beside),
    limits: { ...HEAD, body: madeBytes },
  };
}

/**
 * Starts an empty server in an interpreter of the finished `folder`, so that hosts find their compiled
 * modules in Deno's cache, where they stand under the modules' paths: behind their walls they cannot
 * write there. Only Berth's own code and Pyodide's runs in it.
 */
export async function fillCache(folder: string, cache: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const host = startHost(
    { ...hostOptions({ folder, cache }, SETUP_BOUNDS), walls: NO_WALLS },
    ({ type }) => {
      if (type === "booted") openServer(host, { slot: 1, image: null, source: "", own: null });
      else resolve();
    },
  );
  host.send({ type: "boot", slot: 1, images: [], waits: false });
  await Promise.race([promise, host.exited]);
  await host.kill();
  await settleCache(cache);
}

/** Gives a booted interpreter a server of one file, as a session does. */
function openServer(
  host: HostProcess,
  { slot, image, source, own }: {
    slot: number;
    image: string | null;
    source: string;
    own: GivenPackages | null;
  },
): void {
  const bytes = new TextEncoder().encode(source);
  const given = {
    root: "/app",
    entrypoint: "main.py",
    profile: "full",
    environment: {},
    packages: own?.told ?? null,
  };
  const files = lengthsOf([{ name: "main.py", bytes }]);
  const options = JSON.stringify(given);
  host.send({ type: "open", slot, image, options, files, packages: own?.files ?? {} }, [bytes]);
}

function unpack(list: { name: string; bytes: number }[], body: Uint8Array): Part[] {
  if (list.reduce((sum, { bytes }) => sum + bytes, 0) !== body.length) {
    throw new SetupError("The interpreter's files have unexpected lengths");
  }
  let at = 0;
  return list.map(({ name, bytes }) => ({ name, bytes: body.subarray(at, at += bytes) }));
}

function lengthsOf(files: readonly Part[]): { path: string; bytes: number }[] {
  return files.map((file) => ({ path: file.name, bytes: file.bytes.length }));
}

const decoder = new TextDecoder();

/** Asks a host, one question after the other; a message that is no answer rejects. */
function askHost(
  host: HostProcess,
  timeoutMs: number,
  answers: (take: (message: FromHost, body: Uint8Array) => void) => void,
) {
  let slot = 0;
  let waiting: PromiseWithResolvers<{ message: FromHost; body: Uint8Array }> | null = null;
  answers((message, body) => {
    // What is left of an earlier task says nothing of this one.
    if (message.type !== "fault" && message.slot !== slot) return;
    if (message.type === "fault" || message.type === "ended") {
      waiting?.reject(
        new SetupError(`The interpreter snapshot could not be created: ${message.message}`),
      );
    } else waiting?.resolve({ message, body });
  });
  return {
    nextSlot: () => ++slot,
    async ask(send: () => void) {
      waiting = Promise.withResolvers();
      send();
      const timer = setTimeout(() => {
        waiting?.reject(
          new SetupError(`The snapshot was not created within ${timeoutMs / 1000} s`),
        );
      }, timeoutMs);
      const died = host.exited.then(({ stderr, fault }) => {
        throw new SetupError(
          `The interpreter could not be started: ${fault ?? stderr.slice(-2000)}`,
        );
      });
      try {
        return await Promise.race([waiting.promise, died]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

type Asking = ReturnType<typeof askHost>;

/** Has a host run a task; gives what it made. */
async function runTask(
  host: HostProcess,
  ask: Asking["ask"],
  task: Omit<MessageOf<typeof TO_HOST, "prepare">, "type" | "files">,
  files: readonly Part[],
): Promise<Part[]> {
  const { message, body } = await ask(() =>
    host.send(
      { type: "prepare", ...task, files: lengthsOf(files) },
      files.map((file) => file.bytes),
    )
  );
  if (message.type !== "prepared") throw new SetupError("The setup host broke its protocol");
  return unpack(message.parts, body);
}

/** Compiles packages in workers of a host, some in each. */
function compileIn(host: HostProcess, { nextSlot, ask }: Asking): PreparingHost["compile"] {
  let slot = 0;
  let left = 0;
  return async (packed) => {
    if (left === 0) {
      slot = nextSlot();
      left = COMPILED_IN_WORKER;
    }
    const stays = --left > 0;
    const files = [{ name: "package", bytes: packed }];
    return await runTask(
      host,
      ask,
      { slot, task: "compile", modules: [], own: null, stays },
      files,
    );
  };
}

/** Runs `body` with a host for the interpreter in `folder`, which is ended afterwards. */
export async function withPreparingHost<T>(
  place: { folder: string; cache: string },
  body: (host: PreparingHost) => Promise<T>,
  bounds = SETUP_BOUNDS,
): Promise<T> {
  const walls = await raiseHostWalls({
    interpreter: place.folder,
    sessionsPerHost: INTERPRETERS,
    memoryMb: bounds.memoryMb,
    niceness: bounds.niceness,
  });
  let take: (message: FromHost, body: Uint8Array) => void = () => {};
  const host = startHost(
    { ...hostOptions(place, bounds), walls },
    (message, body) => take(message, body),
  );
  const end = () => void host.kill();
  bounds.signal?.addEventListener("abort", end);
  if (bounds.signal?.aborted) end();
  const asking = askHost(host, bounds.timeoutMs, (answers) => take = answers);
  const { nextSlot, ask } = asking;
  try {
    return await body({
      compile: compileIn(host, asking),
      async prepare(task, files, { modules, own } = { modules: [], own: null }) {
        const owned = own === null ? null : JSON.stringify(own);
        const given = { task, modules: [...modules], own: owned, stays: false };
        return await runTask(host, ask, { ...given, slot: nextSlot() }, files);
      },
      async tryImage(image, source, own) {
        const slot = nextSlot();
        await ask(() => host.send({ type: "boot", slot, images: [image], waits: false }));
        const { body } = await ask(() => openServer(host, { slot, image, source, own }));
        return decoder.decode(body);
      },
    });
  } finally {
    bounds.signal?.removeEventListener("abort", end);
    await host.kill();
  }
}
