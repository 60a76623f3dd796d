/**
 * The Web Worker of one session: boots Pyodide, hands the repository's files and the calls to
 * Berth's Python runtime, and what that says to the host.
 *
 * @module
 */
import { listen, post } from "./session_globals.ts";
import { bootPyodide } from "./session_boot.ts";
import { createEmitter } from "./session_output.ts";
import { type AskBridge, createAskBridge } from "./session_asks.ts";
import { createHttpBridge, type HttpBridge } from "./session_http.ts";
import { createPackageBridge, type PackageBridge } from "./session_packages.ts";
import { watchMemory } from "./session_memory.ts";
import { INTERRUPTED_CALL, MAX_RESULT_BYTES } from "./limits.ts";
import type { BootFile, BootInput } from "./session_boot.ts";
import type { FromWorker, ToWorker } from "./session_messages.ts";

/** The Python side: `workers/python/berth_session`. */
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

/** Where the Python side takes packages from: `workers/python/berth_runtime/packages.py`. */
interface Importing {
  connect(take: PackageBridge["take"]): void;
}

/** What Pyodide keeps for its own modules. */
interface Internals {
  _api: { scheduleCallback(callback: () => void, ms?: number): void };
}

interface Session {
  runtime: Runtime;
  request(call: number, message: string): Promise<string>;
  writeFiles(folder: string, files: BootFile[]): void;
}

const ROOT = "/app";
const SEED_BYTES = 64;

const encoder = new TextEncoder();
const emitter = createEmitter((event) => send({ type: "event", event: encoder.encode(event) }));
const http = createHttpBridge((message, transfer) => send(message, transfer));
const asks = createAskBridge((message) => send(message));
const packages = createPackageBridge(send, (files) => session!.writeFiles("", files));
const memory = watchMemory();
let session: Session | null = null;

function send(message: FromWorker, transfer: Transferable[] = []): void {
  post(message, transfer);
}

async function boot(parts: Omit<BootInput, "onOutput">): Promise<Session> {
  const pyodide = await bootPyodide({ ...parts, onOutput: emitter.output });
  const runtime = pyodide.pyimport("berth_session") as unknown as Runtime;
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
  const { _api: api } = pyodide as unknown as Internals;
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

async function handle(message: ToWorker): Promise<void> {
  switch (message.type) {
    case "boot":
      session = await boot(message.parts);
      return send({ type: "booted" });
    case "open": {
      session!.writeFiles(`${ROOT}/`, message.files);
      emitter.begin();
      memory.begin();
      const outcome = bounded(await session!.runtime.load(message.options));
      emitter.flush();
      return send({ type: "opened", outcome });
    }
    case "call": {
      emitter.begin();
      memory.begin();
      const outcome = bounded(await session!.request(message.call, message.message));
      emitter.flush();
      return send({ type: "result", call: message.call, outcome });
    }
    case "cancel":
      return session?.runtime.cancel(message.call);
    case "ask_done":
      return asks.done(message.request, message.outcome);
    case "http_done":
      return http.done(message.request, message.meta, message.body);
    case "package_done":
      return packages.done(message.request, message.bytes);
    case "end":
      return send({ type: "idle" });
    case "pack":
    case "snapshot":
      throw new Error("Not a task of this worker");
  }
}

listen((message) => {
  handle(message as ToWorker).catch((error) => {
    // The runtime answers whatever the server's code does; what gets here ended the interpreter.
    const message = `${memory.wasRefused() ? "out of memory: " : ""}${error}`;
    send({ type: "fatal", message: message.slice(0, 2000) });
  });
});
