/**
 * The workers of a session host, one a session.
 *
 * @module
 */
import {
  INTERRUPT_BYTES,
  INTERRUPTED_CALL,
  MAX_ASK_BYTES,
  MAX_EVENT_BYTES,
  MAX_HTTP_BYTES,
  MAX_HTTP_META_CHARS,
  MAX_RESULT_BYTES,
} from "./limits.ts";
import type { Interpreter } from "./host_interpreter.ts";
import type { HostMessage } from "./protocol.ts";
import type { BootFile } from "./session_boot.ts";
import type { FromWorker, ToWorker } from "./session_messages.ts";

interface Running {
  worker: Worker;
  /** The interrupt flag: 2 raises KeyboardInterrupt. */
  flag: Uint8Array;
  /** Whom the flag is for. */
  interrupted: Int32Array;
  /** The calls in flight; 0 is the entrypoint's run. */
  calls: Set<number>;
  /** Packages that it was given. */
  given: Set<string>;
}

/** What the main process can have done. */
export interface HostSessions {
  /** Sessions may be booted at once: they begin when the interpreter is there. */
  init(interpreter: Promise<Interpreter>): Promise<void>;
  boot(session: number): Promise<void>;
  open(session: number, options: string, files: BootFile[]): void;
  call(session: number, call: number, message: string): void;
  interrupt(session: number, call: number): void;
  askDone(session: number, request: number, outcome: string): void;
  httpDone(session: number, request: number, meta: string, body: Uint8Array): void;
  end(session: number): void;
  prepare(task: "pack" | "snapshot", files: BootFile[]): Promise<void>;
}

const SIGINT = 2;
const INTERRUPT_EVERY_MS = 20;
const ROUNDS_TO_CANCEL = 10;
const OUTCOME_LIMIT = MAX_RESULT_BYTES + 1024;

// "worker-options" is unstable, so the type of `deno` is not declared.
const OPTIONS = { type: "module", deno: { permissions: "none" } } as WorkerOptions;

function isBytes(value: unknown, limit: number): value is Uint8Array {
  return value instanceof Uint8Array && value.length <= limit;
}

/** Whether it is what Python writes: JSON text in ASCII, which a head can hold with its escapes. */
function isHttpMeta(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_HTTP_META_CHARS &&
    /^[\x20-\x7e]*$/.test(value);
}

/** The sessions of this host; `send` takes what is for the main process. */
export function createHostSessions(
  send: (head: HostMessage, body?: Uint8Array) => void,
): HostSessions {
  const running = new Map<number, Running>();
  let interpreter: Promise<Interpreter> = Promise.reject(new Error("No interpreter was given"));
  interpreter.catch(() => {});
  let prepared = 0;

  function start(session: number, script: string): Running {
    const interrupt = new SharedArrayBuffer(INTERRUPT_BYTES);
    const worker = new Worker(new URL(script, import.meta.url), OPTIONS);
    worker.onmessage = (event) => receive(session, event.data as FromWorker);
    worker.onerror = (event) => {
      // Else the error would end the whole host.
      event.preventDefault();
      stop(session, "crashed", event.message);
    };
    worker.onmessageerror = () => stop(session, "crashed", "A message could not be read");
    const entry = {
      worker,
      flag: new Uint8Array(interrupt),
      interrupted: new Int32Array(interrupt, INTERRUPTED_CALL, 1),
      calls: new Set<number>(),
      given: new Set<string>(),
    };
    running.set(session, entry);
    return entry;
  }

  function stop(session: number, reason: "closed" | "crashed", message: string) {
    const entry = running.get(session);
    if (entry === undefined) return;
    running.delete(session);
    entry.worker.terminate();
    send({ type: "ended", session, reason, message: message.slice(0, 2000) });
  }

  async function parts({ flag }: Running) {
    return { ...(await interpreter).parts, interrupt: flag.buffer as SharedArrayBuffer };
  }

  /** Hands a package over: each once, so that asking cannot be used to fill the host. */
  async function givePackage(session: number, request: number, name: string) {
    const file = (await interpreter).packages.get(name);
    const given = running.get(session)?.given;
    const fresh = file !== undefined && given !== undefined && !given.has(name);
    given?.add(name);
    const bytes = fresh ? await Deno.readFile(file) : null;
    const transfer = bytes === null ? [] : [bytes.buffer as ArrayBuffer];
    post(session, { type: "package_done", request, bytes }, transfer);
  }

  function post(session: number, message: ToWorker, transfer: Transferable[] = []) {
    running.get(session)?.worker.postMessage(message, transfer);
  }

  function receive(session: number, message: FromWorker) {
    const entry = running.get(session);
    if (entry === undefined || typeof message !== "object" || message === null) return;
    switch (message.type) {
      case "booted":
        return send({ type: "booted", session });
      case "opened":
        entry.calls.delete(0);
        if (isBytes(message.outcome, OUTCOME_LIMIT)) {
          return send({ type: "opened", session }, message.outcome);
        }
        break;
      case "result":
        entry.calls.delete(message.call);
        if (isBytes(message.outcome, OUTCOME_LIMIT)) {
          return send({ type: "result", session, call: message.call }, message.outcome);
        }
        break;
      case "waiting":
        return send({ type: "waiting", session, call: message.call });
      case "event":
        if (isBytes(message.event, MAX_EVENT_BYTES)) {
          return send({ type: "event", session }, message.event);
        }
        break;
      case "ask":
        if (isBytes(message.question, MAX_ASK_BYTES)) {
          return send({ type: "ask", session, request: message.request }, message.question);
        }
        break;
      case "http":
        if (isHttpMeta(message.meta)) {
          const body = isBytes(message.body, MAX_HTTP_BYTES) ? message.body : undefined;
          return send({
            type: "http",
            session,
            request: message.request,
            call: message.call,
            meta: message.meta,
            has_body: body !== undefined,
          }, body);
        }
        break;
      case "package":
        if (typeof message.request === "number" && typeof message.name === "string") {
          givePackage(session, message.request, message.name).catch((error) =>
            stop(session, "crashed", `A package could not be read: ${error}`)
          );
          return;
        }
        break;
      case "idle":
        return stop(session, "closed", "");
      case "prepared": {
        const list = message.parts.map(({ name, bytes }) => ({ name, bytes: bytes.length }));
        const body = new Uint8Array(list.reduce((sum, part) => sum + part.bytes, 0));
        let at = 0;
        for (const { bytes } of message.parts) {
          body.set(bytes, at);
          at += bytes.length;
        }
        return send({ type: "prepared", parts: list }, body);
      }
      case "fatal":
        return stop(session, "crashed", String(message.message));
    }
    stop(session, "crashed", "The session broke the bounds of its messages");
  }

  return {
    async init(given) {
      interpreter = given;
      await given;
    },
    async boot(session) {
      const entry = start(session, "./session.ts");
      post(session, { type: "boot", parts: await parts(entry) });
    },
    open(session, options, files) {
      const entry = running.get(session);
      if (entry === undefined) return;
      entry.calls.add(0);
      const transfer = files.map((file) => file.bytes.buffer as ArrayBuffer);
      post(session, { type: "open", options, files }, transfer);
    },
    call(session, call, message) {
      const entry = running.get(session);
      if (entry === undefined) return;
      entry.calls.add(call);
      post(session, { type: "call", call, message });
    },
    interrupt(session, call) {
      const entry = running.get(session);
      if (!entry?.calls.has(call)) return;
      let round = 0;
      function raise(entry: Running) {
        Atomics.store(entry.interrupted, 0, call);
        entry.flag[0] = SIGINT;
        // Read only while no Python runs. Rarer, as it takes the flag away from what should see it.
        if (round++ % ROUNDS_TO_CANCEL === 0) post(session, { type: "cancel", call });
      }
      raise(entry);
      // Again and again: Python's side drops it where it would do harm.
      const timer = setInterval(() => {
        if (entry.calls.has(call) && running.has(session)) raise(entry);
        else clearInterval(timer);
      }, INTERRUPT_EVERY_MS);
    },
    askDone: (session, request, outcome) => post(session, { type: "ask_done", request, outcome }),
    httpDone(session, request, meta, body) {
      post(session, { type: "http_done", request, meta, body }, [body.buffer as ArrayBuffer]);
    },
    end: (session) => post(session, { type: "end" }),
    async prepare(task, files) {
      const session = ++prepared;
      const entry = start(session, "./session_prepare.ts");
      post(session, { type: task, parts: await parts(entry), files });
    },
  };
}
