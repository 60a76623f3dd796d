/**
 * Boots Pyodide in an interpreter's worker: from files and a compiled module that the host hands over,
 * with no permission of its own, and from the snapshot when there is one. It then waits, before any
 * Python runs, until it is known with which image it goes on.
 *
 * @module
 */
// First: it must see how Pyodide suspends.
import { watchSuspended } from "./parking/suspended.ts";
import { loadPyodide, type PyodideAPI } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { continueClock } from "./clock.ts";
import { putLateFiles } from "./late.ts";
import { type EmscriptenModule, linkLibraries } from "./libraries.ts";
import { createLender, type Symbols } from "./linking/symbols.ts";
import { closeFiles, openFile } from "./globals.ts";
import {
  assertBase,
  type OpenSnapshot,
  openSnapshot,
  readFully,
  restorePages,
} from "./snapshot.ts";
import type { BootParts } from "../boot_parts.ts";
import type { Began, Begun, Start } from "./start.ts";

/** A file to be written before Python starts, at an absolute path. */
export interface BootFile {
  path: string;
  bytes: Uint8Array;
}

/** The files whose contents are `body`, one after the other; nothing is copied. */
export function splitFiles(files: { path: string; bytes: number }[], body: Uint8Array): BootFile[] {
  let at = 0;
  return files.map(({ path, bytes }) => ({ path, bytes: body.subarray(at, at += bytes) }));
}

export interface BootInput extends Omit<BootParts, "files"> {
  files: BootFile[];
  /** Whether a snapshot can be taken of it. */
  makesSnapshot?: boolean;
  /** Whether this worker boots another one after it: no foreign code may run in either. */
  isFollowed?: boolean;
  /** Called when everything is done that is the same for all servers. */
  chooseStart?: () => Promise<Start>;
  /** Told, before any Python runs, what it begins with. */
  onBegan?: (began: Began) => void;
  /** Gives a JavaScript value that a parked session held. */
  readValue?: (name: unknown) => unknown;
  /** Takes the lines that C code and unconfigured Python write. */
  onOutput: (stream: "stdout" | "stderr", text: string) => void;
}

/** What is used of Pyodide beside its published interface. */
export interface PyodideInside {
  _module: EmscriptenModule;
  _api: {
    scheduleCallback(callback: () => void, ms?: number): void;
    serializeHiwireState(serializer: (value: unknown) => unknown): unknown;
  };
}
export type Pyodide = PyodideAPI & PyodideInside;

// deno-lint-ignore no-explicit-any -- Emscripten's settings and file system have no published types.
type Unpublished = any;

const WASM_PAGE = 65_536;
// `Deno.SeekMode` is not there any more.
const SEEK_START = 0;

/** Runs `body` with stand-ins for the two ways by which Pyodide would fetch its own files. */
async function withHandedFiles<T>(input: BootInput, minBytes: number, body: () => Promise<T>) {
  const scope = globalThis as Record<string, unknown>;
  const streaming = WebAssembly.instantiateStreaming;
  scope["fetch"] = (url: unknown) =>
    Promise.resolve({
      ok: true,
      arrayBuffer: () =>
        Promise.resolve((String(url).endsWith(".zip") && input.stdlib || new Uint8Array(0)).buffer),
    });
  WebAssembly.instantiateStreaming = async (_source, imports) => {
    const instance = await WebAssembly.instantiate(input.module, imports);
    const memory = instance.exports["memory"] as WebAssembly.Memory;
    const missing = minBytes - memory.buffer.byteLength;
    // Before the glue looks at the memory: the snapshot may be larger than a fresh one.
    if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE));
    return { instance, module: input.module };
  };
  try {
    return await body();
  } finally {
    delete scope["fetch"];
    WebAssembly.instantiateStreaming = streaming;
  }
}

/** Has the memory of a module that runs hold `bytes`, by the way that tells its glue. */
function growMemory(module: EmscriptenModule, bytes: number): void {
  if (module.HEAPU8.length >= bytes) return;
  module.growMemory(bytes);
  if (module.HEAPU8.length < bytes) {
    throw new RangeError("The image needs more memory than allowed");
  }
}

/** Has libraries find what the interpreter's module does not export, which a file lists. */
function lendSymbols(
  module: EmscriptenModule,
  { source, size }: NonNullable<BootParts["symbols"]>,
): void {
  const file = openFile(source);
  const lender = createLender(module, () => {
    const bytes = new Uint8Array(size);
    file.seekSync(0, SEEK_START);
    readFully(file, bytes);
    return JSON.parse(new TextDecoder().decode(bytes)) as Symbols;
  });
  module.prepareLibrary = (library, imports) => {
    lender.prepare(library);
    return imports;
  };
  module.findSymbol = lender.find;
  module.hasPlaced = lender.hasPlaced;
}

/** A snapshot of which the pages are in a file or in memory. */
type Restorable = Pick<OpenSnapshot, "head" | "memoryBytes" | "restore">;
type Compiled = { path: string; module: WebAssembly.Module }[];

/** Writes a difference over what was restored. */
function restoreOver(module: EmscriptenModule, over: Restorable, libraries: Compiled): void {
  growMemory(module, over.memoryBytes);
  linkLibraries(module, over.head, new Map(libraries.map((each) => [each.path, each.module])));
  over.restore(module.HEAPU8);
  module.stackRestore(over.head.stack);
  continueClock(over.head.clock);
}

function pathsOf({ head }: OpenSnapshot): string[] {
  return head.libraries.map(({ path }) => path);
}

/** Writes image and parked session over the snapshot; gives what was begun with. */
function restoreStart(
  module: EmscriptenModule,
  base: { head: OpenSnapshot["head"]; path: string },
  { image: imageParts, parked }: Start,
): { began: Omit<Began, "config">; values: unknown } {
  const image = imageParts === null ? null : openSnapshot(openFile(imageParts.pages));
  const layers: Begun[] = [{ id: base.head.id, file: openFile(base.path) }];
  if (image !== null) {
    assertBase(image.head, base.head.id);
    layers.push({ id: image.head.id, file: openFile(imageParts!.pages) });
    restoreOver(module, image, imageParts!.libraries);
  }
  const libraries = new Set(image === null ? [] : pathsOf(image));
  let { values } = image?.head ?? base.head;
  if (parked !== null) {
    assertBase(parked.snapshot.head, layers.at(-1)!.id);
    const restore = (memory: Uint8Array) => restorePages(parked.snapshot, memory);
    restoreOver(module, { ...parked.snapshot, restore }, parked.libraries);
    values = parked.snapshot.head.values;
  }
  watchSuspended(module, parked?.suspended ?? null);
  const freeCallbacks = [...module.freeCallbacks ?? []];
  return { began: { layers, libraries, values, freeCallbacks }, values };
}

/** Restores the snapshot, and has Pyodide's own restore do the rest once a start was chosen. */
async function restore(
  module: EmscriptenModule,
  api: { restoreSnapshot: () => unknown; config: unknown },
  snapshot: OpenSnapshot,
  { chooseStart, onBegan, snapshot: path }: Pick<
    BootInput,
    "chooseStart" | "onBegan" | "snapshot"
  >,
): Promise<void> {
  const { head } = snapshot;
  snapshot.restore(module.HEAPU8);
  continueClock(head.clock);
  let start = await chooseStart?.() ?? { image: null, parked: null };
  api.restoreSnapshot = () => {
    const { began, values } = restoreStart(module, { head, path: path! }, start);
    // It stays where the server's code may find it.
    start = { image: null, parked: null };
    onBegan?.({ ...began, config: api.config });
    return values;
  };
}

/**
 * Pyodide keeps its configuration, and with it all that the functions there can name: 30 MB in each
 * session, if they were not given back.
 */
function drop(input: BootInput): void {
  input.stdlib?.buffer.transfer(0);
  input.files = [];
  if (input.isFollowed !== true) closeFiles();
}

/** Boots from `input`, of which nothing is left then: the file system has the files. */
export async function bootPyodide(input: BootInput): Promise<Pyodide> {
  const { makesSnapshot = false, onOutput, late } = input;
  const snapshot = input.snapshot === null ? null : openSnapshot(openFile(input.snapshot));

  const pyodide = await withHandedFiles(input, snapshot?.memoryBytes ?? 0, () =>
    loadPyodide({
      indexURL: "file:///interpreter/",
      lockFileContents: { info: input.lockInfo, packages: {} } as never,
      packageBaseUrl: "file:///interpreter/",
      stdin: () => null as never,
      stdout: (text: string) => onOutput("stdout", text),
      stderr: (text: string) => onOutput("stderr", text),
      fsInit: (fs: Unpublished) => {
        for (const file of input.files) {
          fs.mkdirTree(file.path.slice(0, file.path.lastIndexOf("/")));
          fs.writeFile(file.path, file.bytes, { canOwn: true });
        }
        return Promise.resolve();
      },
      createPyodideModule: async (settings: Unpublished) => {
        const module = await createPyodideModule(settings);
        putLateFiles(module.FS, late, openFile);
        if (input.symbols !== null) lendSymbols(module, input.symbols);
        if (snapshot !== null) await restore(module, settings.API, snapshot, input);
        return module;
      },
      ...(makesSnapshot ? { _makeSnapshot: true } : {}),
      ...(input.readValue === undefined ? {} : { _snapshotDeserializer: input.readValue }),
      // Only says that there is one: the restore above reads the pages itself.
      ...(snapshot === null ? {} : { _loadSnapshot: new Uint8Array(0) }),
    } as never)) as Pyodide;
  drop(input);
  pyodide.setInterruptBuffer(new Uint8Array(input.interrupt));
  return pyodide;
}
