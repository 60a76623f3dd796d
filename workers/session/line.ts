/**
 * The line between a host and the worker of one of its interpreters: what is said on it, by mail
 * (`wire/mail.ts`) or posted. The worker may run hostile code.
 *
 * @module
 */
import type { Frame } from "../wire/frames.ts";
import { createMailSender, receiveMail } from "../wire/mail.ts";
import { createRing } from "../wire/ring.ts";
import { MAX_HEAD_BYTES } from "./limits.ts";
import {
  FROM_INTERPRETER,
  type FromInterpreter,
  readHead,
  readPosted,
  type ToInterpreter,
} from "./messages.ts";

/** What the worker says, or that it says what no honest one does. */
export interface LineEvents {
  onMessage(message: FromInterpreter, body: Uint8Array): void;
  onBroken(message: string): void;
}

/** The host's end of a line. */
export interface Line {
  /** Memory of the mail, for the worker. */
  readonly memory: { up: SharedArrayBuffer; down: SharedArrayBuffer };
  /** Sends a message, and `body`; the worker then has the memory of that, and what is in `given`. */
  post(message: ToInterpreter, body?: Uint8Array, given?: ArrayBuffer[]): void;
  /** Nothing is heard any more. */
  close(): void;
}

/** Of what an interpreter is sent: plain data, most of it small. */
const MAILED = new Set<ToInterpreter["type"]>(["call", "cancel", "ask_done", "http_done", "end"]);
/** Bounds of the frames in its mail; none is larger than the ring. */
const FRAME_LIMITS = { head: 2 * MAX_HEAD_BYTES, body: MAX_HEAD_BYTES };

/** What was read of a worker; null when it is no message. */
type Read = { message: FromInterpreter; body: Uint8Array } | null;

function readFrame({ head, body }: Frame): Read {
  const message = readHead(FROM_INTERPRETER, head);
  if (message === null || body.length > FROM_INTERPRETER[message.type].body) return null;
  return { message, body };
}

/** The line to a worker that has just been started; it gets `memory` with what it boots from. */
export function openLine(worker: Worker, { onMessage, onBroken }: LineEvents): Line {
  const memory = { up: createRing(), down: createRing() };
  const mail = createMailSender(memory.down);

  function take(read: Read): void {
    if (read === null) onBroken("The session sent what is no message");
    else onMessage(read.message, read.body);
  }

  const received = receiveMail(memory.up, {
    limits: FRAME_LIMITS,
    onFrame: (frame) => take(readFrame(frame)),
    onBroken: (error) => onBroken(`The session sent what cannot be read: ${error}`),
  });
  worker.onmessage = ({ data }) => received.posted(() => take(readPosted(FROM_INTERPRETER, data)));
  worker.onmessageerror = () => onBroken("A message could not be read");

  /** Whether it went by mail, or nothing ever will: the other end broke that. */
  function isMailed(message: ToInterpreter, body: Uint8Array | undefined): boolean {
    try {
      return MAILED.has(message.type) && mail.send(message, body);
    } catch (error) {
      onBroken(`The session broke its mail: ${error}`);
      return true;
    }
  }

  return {
    memory,
    post(message, body, given = []) {
      if (isMailed(message, body)) return;
      mail.posting();
      if (body === undefined) worker.postMessage(message, given);
      else worker.postMessage({ ...message, body }, [...given, body.buffer as ArrayBuffer]);
    },
    close: received.close,
  };
}
