/**
 * The Web Worker of an interpreter that runs a server: boots Pyodide, hands the repository's files
 * and the calls to Berth's Python runtime, and what that says to the host.
 *
 * @module
 */
import "./globals.ts";
import { bootPyodide, splitFiles } from "./boot.ts";
import { createEmitter } from "./output.ts";
import { type AskBridge, createAskBridge } from "./asks.ts";
import { createHttpBridge, type HttpBridge } from "./http.ts";
import { hear } from "./hear.ts";
import { watchMemory } from "./memory.ts";
import { createPackageBridge, type PackageBridge } from "./packages.ts";
import { send } from "./send.ts";
import { INTERRUPTED_CALL, MAX_RESULT_BYTES } from "../limits.ts";
import type { BootFile, Pyodide } from "./boot.ts";
import type { BootParts, ImageParts } from "../boot_parts.ts";
import { dispatch, type Handlers, type Message, type TO_RUN } from "../messages.ts";

/** The Python side: `workers/python/berth_interpreter`. */
interface Runtime {
  start(
    emit: (event: string) => void,
    http: HttpBridge["request"],
    seed: unknown,
    ask: AskBridge["ask"],
    interrupted: () => number,
    waiting: (call: number) => void,
    memoryRefused: () => boolean,
  ): void;
  cancel(call: number): void;
  load(options: string): Promise<string>;
  request: {
    /** Runs it at once, so that its code may wait for JavaScript. */
    callPromising(call: number, message: string): Promise<string>;
  };
}

/** Where the Python side takes packages from: `workers/python/berth_runtime/packages/__init__.py`. */
interface Importing {
  connect(take: PackageBridge["take"]): void;
}

/** What runs the server. */
interface Runner {
  runtime: Runtime;
  request(call: number, message: string): Promise<string>;
  writeFiles(folder: string, files: BootFile[]): void;
}

const ROOT = "/app";
const SEED_BYTES = 64;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const emitter = createEmitter((event) => send({ type: "event" }, encoder.encode(event)));
const http = createHttpBridge(send);
const asks = createAskBridge(send);
const packages = createPackageBridge(send, (files) => runner!.writeFiles("", files));
const memory = watchMemory();
let runner: Runner | null = null;
let chooseImage: ((image: ImageParts | null) => void) | null = null;
let booting: Promise<Runner> | null = null;

/** Boots until the image is to be chosen, and says so; without a snapshot there is none to choose. */
async function boot(parts: BootParts): Promise<Runner> {
  const image = Promise.withResolvers<ImageParts | null>();
  chooseImage = image.resolve;
  const pyodide = await bootPyodide({
    ...parts,
    onOutput: emitter.output,
    chooseImage() {
      send({ type: "booted" });
      return image.promise;
    },
  });
  if (parts.snapshot === null) send({ type: "booted" });
  return startRuntime(pyodide, parts);
}

function startRuntime(pyodide: Pyodide, parts: BootParts): Runner {
  const runtime = pyodide.pyimport("berth_interpreter") as unknown as Runtime;
  const bytes = pyodide.globals.get("bytes") as (x: Uint8Array) => unknown;
  const seed = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  const interrupted = new Int32Array(parts.interrupt, INTERRUPTED_CALL, 1);
  runtime.start(
    emitter.emit,
    http.request,
    bytes(seed),
    asks.ask,
    () => Atomics.load(interrupted, 0),
    (call) => send({ type: "waiting", call }),
    memory.wasRefused,
  );
  const importing = pyodide.pyimport("berth_runtime.packages") as unknown as Importing;
  importing.connect(packages.take);
  // Looked up once: each look makes a proxy that must be collected.
  const { request } = runtime;
  const { _api: api } = pyodide;
  const nextTurn = api.scheduleCallback;
  return {
    runtime,
    request(call, message) {
      // Pyodide would let the event loop turn first, in case Python is on the stack: here it is not.
      api.scheduleCallback = queueMicrotask;
      try {
        return request.callPromising(call, message);
      } finally {
        api.scheduleCallback = nextTurn;
      }
    },
    writeFiles(folder, files) {
      pyodide.FS.mkdirTree(ROOT);
      let last = "";
      for (const file of files) {
        const path = folder + file.path;
        const parent = path.slice(0, path.lastIndexOf("/"));
        if (parent !== last) pyodide.FS.mkdirTree(parent);
        last = parent;
        pyodide.FS.writeFile(path, file.bytes, { canOwn: true });
      }
    },
  };
}

/** The outcome as bytes; one over the limit becomes an error that names it. */
function bounded(outcome: string): Uint8Array {
  const bytes = encoder.encode(outcome);
  if (bytes.length <= MAX_RESULT_BYTES) return bytes;
  const limit = MAX_RESULT_BYTES / 1024 / 1024;
  const message = `The result is larger than the limit of ${limit} MiB`;
  const data = { reason: "result_too_large", limit: MAX_RESULT_BYTES };
  return encoder.encode(JSON.stringify({ kind: "error", code: -32603, message, data }));
}

const handlers: Handlers<typeof TO_RUN, void | Promise<void>> = {
  async boot({ parts }) {
    booting = boot(parts);
    await booting;
  },
  async open({ options, files, image }, body) {
    chooseImage!(image);
    runner = await booting!;
    if (image !== null) runner.writeFiles("", image.files);
    runner.writeFiles(`${ROOT}/`, splitFiles(files, body));
    emitter.begin();
    memory.begin();
    const outcome = bounded(await runner.runtime.load(options));
    emitter.flush();
    send({ type: "opened" }, outcome);
  },
  async call({ call }, body) {
    emitter.begin();
    memory.begin();
    const outcome = bounded(await runner!.request(call, decoder.decode(body)));
    emitter.flush();
    send({ type: "result", call }, outcome);
  },
  cancel: ({ call }) => runner?.runtime.cancel(call),
  ask_done: ({ request }, body) => asks.done(request, decoder.decode(body)),
  http_done: ({ request, meta }, body) => http.done(request, meta, body),
  package_done: ({ request, found }, body) => packages.done(request, found ? body : null),
  end: () => send({ type: "idle" }),
};

hear(async (message, body) => {
  try {
    await dispatch(handlers, message as Message<typeof TO_RUN>, body);
  } catch (error) {
    // The runtime answers whatever the server's code does; what gets here ended the interpreter.
    const message = `${memory.wasRefused() ? "out of memory: " : ""}${error}`;
    send({ type: "fatal", message: message.slice(0, 2000) });
  }
});
