/**
 * The workers of a session host, one a session.
 *
 * @module
 */
import { INTERRUPT_BYTES, INTERRUPTED_CALL } from "./limits.ts";
import type { Interpreter } from "./host_interpreter.ts";
import type { HostMessage } from "./protocol.ts";
import type { BootFile } from "./session_boot.ts";
import type { FromWorker, ToWorker } from "./session_messages.ts";
import { createTurns, type Turns } from "./session_turns.ts";
import { readWorkerMessage } from "./worker_messages.ts";

interface Running {
  worker: Worker;
  /** The interrupt flag: 2 raises KeyboardInterrupt. */
  flag: Uint8Array;
  /** Whom the flag is for. */
  interrupted: Int32Array;
  /** What it may say. */
  turns: Turns;
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

// "worker-options" is unstable, so the type of `deno` is not declared.
const OPTIONS = { type: "module", deno: { permissions: "none" } } as WorkerOptions;

const SCRIPTS = { session: "./session.ts", prepare: "./session_prepare.ts" };

/** The parts of a prepared interpreter, one after the other. */
function joined(parts: { bytes: Uint8Array }[]): Uint8Array {
  const body = new Uint8Array(parts.reduce((sum, part) => sum + part.bytes.length, 0));
  let at = 0;
  for (const { bytes } of parts) {
    body.set(bytes, at);
    at += bytes.length;
  }
  return body;
}

/** The sessions of this host; `send` takes what is for the main process. */
export function createHostSessions(
  send: (head: HostMessage, body?: Uint8Array) => void,
): HostSessions {
  const running = new Map<number, Running>();
  let interpreter: Promise<Interpreter> = Promise.reject(new Error("No interpreter was given"));
  interpreter.catch(() => {});
  let prepared = 0;

  function start(session: number, kind: keyof typeof SCRIPTS): Running {
    const interrupt = new SharedArrayBuffer(INTERRUPT_BYTES);
    const worker = new Worker(new URL(SCRIPTS[kind], import.meta.url), OPTIONS);
    worker.onmessage = (event) => receive(session, event.data);
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
      turns: createTurns(kind),
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
    if (fresh) given.add(name);
    const bytes = fresh ? await Deno.readFile(file) : null;
    const transfer = bytes === null ? [] : [bytes.buffer as ArrayBuffer];
    post(session, { type: "package_done", request, bytes }, transfer);
  }

  function post(session: number, message: ToWorker, transfer: Transferable[] = []) {
    running.get(session)?.worker.postMessage(message, transfer);
  }

  /** Only what was read as a message counts from here on. */
  function receive(session: number, posted: unknown) {
    const entry = running.get(session);
    if (entry === undefined) return;
    const message = readWorkerMessage(posted);
    if (message === null) return stop(session, "crashed", "The session sent what is no message");
    if (!entry.turns.take(message)) {
      return stop(session, "crashed", `The session sent "${message.type}" out of turn`);
    }
    pass(session, message);
  }

  function pass(session: number, message: FromWorker) {
    switch (message.type) {
      case "booted":
        return send({ type: "booted", session });
      case "opened":
        return send({ type: "opened", session }, message.outcome);
      case "result":
        return send({ type: "result", session, call: message.call }, message.outcome);
      case "waiting":
        return send({ type: "waiting", session, call: message.call });
      case "event":
        return send({ type: "event", session }, message.event);
      case "ask":
        return send({ type: "ask", session, request: message.request }, message.question);
      case "http": {
        const { request, call, meta, body } = message;
        const head = {
          type: "http",
          session,
          request,
          call,
          meta,
          has_body: body !== null,
        } as const;
        return send(head, body ?? undefined);
      }
      case "package":
        givePackage(session, message.request, message.name).catch((error) =>
          stop(session, "crashed", `A package could not be read: ${error}`)
        );
        return;
      case "idle":
        return stop(session, "closed", "");
      case "prepared": {
        const parts = message.parts.map(({ name, bytes }) => ({ name, bytes: bytes.length }));
        return send({ type: "prepared", parts }, joined(message.parts));
      }
      case "fatal":
        return stop(session, "crashed", message.message);
    }
  }

  return {
    async init(given) {
      interpreter = given;
      await given;
    },
    async boot(session) {
      const entry = start(session, "session");
      post(session, { type: "boot", parts: await parts(entry) });
    },
    open(session, options, files) {
      const entry = running.get(session);
      if (entry === undefined) return;
      entry.turns.begin(0);
      const transfer = files.map((file) => file.bytes.buffer as ArrayBuffer);
      post(session, { type: "open", options, files }, transfer);
    },
    call(session, call, message) {
      const entry = running.get(session);
      if (entry === undefined) return;
      entry.turns.begin(call);
      post(session, { type: "call", call, message });
    },
    interrupt(session, call) {
      const entry = running.get(session);
      if (!entry?.turns.runs(call)) return;
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
        if (entry.turns.runs(call) && running.has(session)) raise(entry);
        else clearInterval(timer);
      }, INTERRUPT_EVERY_MS);
    },
    askDone(session, request, outcome) {
      running.get(session)?.turns.answered("ask", request);
      post(session, { type: "ask_done", request, outcome });
    },
    httpDone(session, request, meta, body) {
      running.get(session)?.turns.answered("http", request);
      post(session, { type: "http_done", request, meta, body }, [body.buffer as ArrayBuffer]);
    },
    end(session) {
      running.get(session)?.turns.end();
      post(session, { type: "end" });
    },
    async prepare(task, files) {
      const session = ++prepared;
      const entry = start(session, "prepare");
      post(session, { type: task, parts: await parts(entry), files });
    },
  };
}
