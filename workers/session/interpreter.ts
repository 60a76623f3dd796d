/**
 * One interpreter as its host sees it: a Web Worker without permissions, and what it may say.
 *
 * @module
 */
import type { Shared } from "./boot_parts.ts";
import { INTERRUPT_BYTES, INTERRUPTED_CALL } from "./limits.ts";
import { openLine } from "./line.ts";
import {
  FROM_INTERPRETER,
  type FromInterpreter,
  TO_INTERPRETER,
  type ToInterpreter,
} from "./messages.ts";
import { madeFolderOf } from "./made_folder.ts";
import { createTurns } from "./turns.ts";

export interface InterpreterEvents {
  /** It said something that it may say now. */
  onMessage(message: FromInterpreter, body: Uint8Array): void;
  /** It broke, or said what no honest one says. */
  onBroken(message: string): void;
}

const SIGINT = 2;
const INTERRUPT_EVERY_MS = 20;
const ROUNDS_TO_CANCEL = 10;

/** Of all that a process may do, its workers may read the files that they boot from. */
function optionsFor(folder: string): WorkerOptions {
  // "worker-options" is unstable, so the type of `deno` is not declared.
  return {
    type: "module",
    deno: { permissions: { read: [folder, madeFolderOf(folder)] } },
  } as WorkerOptions;
}

const SCRIPTS = { run: "./interpreter/main.ts", prepare: "./interpreter/prepare.ts" };

/** A Web Worker with one Pyodide, as its host sees it. */
export interface Interpreter {
  readonly memory: Shared;
  /** Names of the packages that it was given. */
  readonly given: Set<string>;
  /** Files of the packages that are its server's own, by package. */
  own: Readonly<Record<string, string>>;
  /** Sends a message, and `body`; it then has the memory of that, and what is in `memory`. */
  post(message: ToInterpreter, body?: Uint8Array, memory?: ArrayBuffer[]): void;
  /** Raises KeyboardInterrupt in the code of this call until that has come to its end. */
  interrupt(call: number): void;
  terminate(): void;
}

/** Starts one for a server, or one that prepares what others boot from; `folder` has its files. */
export function startInterpreter(
  task: keyof typeof SCRIPTS,
  folder: string,
  { onMessage, onBroken }: InterpreterEvents,
): Interpreter {
  const turns = createTurns(task);
  const interrupt = new SharedArrayBuffer(INTERRUPT_BYTES);
  /** 2 raises KeyboardInterrupt. */
  const flag = new Uint8Array(interrupt);
  const interrupted = new Int32Array(interrupt, INTERRUPTED_CALL, 1);
  const worker = new Worker(new URL(SCRIPTS[task], import.meta.url), optionsFor(folder));
  let alive = true;

  const line = openLine(worker, {
    onMessage(message, body) {
      if (!alive) return;
      if (turns.take(FROM_INTERPRETER[message.type].turn, message)) onMessage(message, body);
      else onBroken(`The session sent "${message.type}" out of turn`);
    },
    onBroken(message) {
      if (alive) onBroken(message);
    },
  });
  worker.onerror = (event) => {
    // Else the error would end the whole host.
    event.preventDefault();
    onBroken(event.message);
  };

  function post(message: ToInterpreter, body?: Uint8Array, given?: ArrayBuffer[]): void {
    turns.give(TO_INTERPRETER[message.type].turn, message);
    line.post(message, body, given);
  }

  return {
    memory: { interrupt, mail: line.memory },
    given: new Set(),
    own: {},
    post,
    interrupt(call) {
      let round = 0;
      function raise(): void {
        Atomics.store(interrupted, 0, call);
        flag[0] = SIGINT;
        // Read only while no Python runs. Rarer, as it takes the flag away from what should see it.
        if (round++ % ROUNDS_TO_CANCEL === 0) post({ type: "cancel", call });
      }
      if (!turns.runs(call)) return;
      raise();
      // Again and again: Python's side drops it where it would do harm.
      const timer = setInterval(() => {
        if (alive && turns.runs(call)) raise();
        else clearInterval(timer);
      }, INTERRUPT_EVERY_MS);
    },
    terminate() {
      alive = false;
      line.close();
      worker.terminate();
    },
  };
}
