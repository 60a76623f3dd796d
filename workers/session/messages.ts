/**
 * Every message between the main process, a session host and the interpreters in it. A new one is
 * an entry here and a handler at each end; types, readers and the host's forwarding follow from it.
 *
 * Between processes a message is a frame: its fields and the slot of the interpreter that it is
 * about are the head. Between the threads of a host it is one object, with its bytes as `body`.
 *
 * @module
 */
import { type Handlers, kind, type Message, slot, type Slotted, slotted } from "./kinds.ts";
import { flag, integer, list, object, oneOf, orNull, text, trusted } from "../wire/shapes.ts";
import type { BootParts, ImageParts } from "./boot_parts.ts";
import {
  MAX_ASK_BYTES,
  MAX_EVENT_BYTES,
  MAX_HTTP_BYTES,
  MAX_HTTP_META_CHARS,
  MAX_PARKED_BYTES,
  MAX_RESULT_BYTES,
} from "./limits.ts";
import { STAY_REASONS } from "./parked_parts.ts";

export {
  dispatch,
  type Handlers,
  type Message,
  type MessageOf,
  readHead,
  readPosted,
} from "./kinds.ts";

/** Number of a call, or of a request of the code; call 0 is the entrypoint's run. */
const serial = integer(1);
const call = integer(0);
const ANY_LENGTH = Infinity;
const OUTCOME_BYTES = MAX_RESULT_BYTES + 1024;
const MAX_MESSAGE_CHARS = 3000;
const MAX_NAME_CHARS = 128;
const MAX_PARTS = 256;
const MAX_PREPARED_BYTES = 512 * 1024 * 1024;
// JSON text in ASCII, as Python writes it: with its escapes it fits a frame's head.
const httpMeta = text(MAX_HTTP_META_CHARS, /^[\x20-\x7e]*$/);
/** Files whose contents are a body, one after the other. */
const files = trusted<{ path: string; bytes: number }[]>();
const anyText = text(ANY_LENGTH);
const names = trusted<string[]>();
const byName = trusted<Record<string, string>>();

/** From an interpreter to the main process: its host adds the slot. What a body holds is JSON. */
const UP = {
  /** The interpreter waits for its files. */
  booted: kind({}, { turn: "boots" }),
  /** The entrypoint ran. Body: a `loadOutcome`. */
  opened: kind({}, { body: OUTCOME_BYTES, turn: "finishes" }),
  /** A call came to its end. Body: a `CallResult`. */
  result: kind({ call: serial }, { body: OUTCOME_BYTES, turn: "finishes" }),
  /** The call's code awaits something: another may begin. */
  waiting: kind({ call }, { turn: "waits" }),
  /** A log entry or notification. Body: a `pythonEvent`. */
  event: kind({}, { body: MAX_EVENT_BYTES, turn: "speaks" }),
  /** The code asks the client. Body: a `pythonAsk`. */
  ask: kind({ request: serial }, { body: MAX_ASK_BYTES, turn: "asks" }),
  /** The code wants an HTTP request. `meta`: a `httpRequestMeta` as JSON; body: the request's. */
  http: kind(
    { request: serial, call: orNull(call), meta: httpMeta, has_body: flag },
    { body: MAX_HTTP_BYTES, turn: "asks for http" },
  ),
  /** Why it is not parked, as was asked for. */
  stays: kind({ reason: oneOf(...STAY_REASONS) }, { turn: "stays" }),
  /**
   * It is no more; this is what it was. `due_ms`: when its next timer is due. Body: a parked session,
   * not JSON.
   */
  parked: kind({ due_ms: orNull(integer(0)) }, { body: MAX_PARKED_BYTES, turn: "is parked" }),
  /** It goes on where it was parked. */
  woke: kind({}, { turn: "finishes" }),
  /** What `prepare` asked for. Body: the parts, one after the other; not JSON. */
  prepared: kind(
    { parts: list(object({ name: text(MAX_NAME_CHARS), bytes: integer(0) }), MAX_PARTS) },
    { body: MAX_PREPARED_BYTES, turn: "prepares" },
  ),
};

/** From an interpreter to its host alone. */
const TO_ITS_HOST = {
  /** The code imports a package, whose files the host has. */
  package: kind({ request: serial, name: text(MAX_NAME_CHARS) }, { turn: "speaks" }),
  /** Nothing runs any more, as was asked for. */
  idle: kind({}, { turn: "leaves" }),
  /** The interpreter cannot go on. */
  fatal: kind({ message: text(MAX_MESSAGE_CHARS) }, { turn: "fails" }),
};

/** What an interpreter posts. It may run hostile code. */
export const FROM_INTERPRETER = { ...UP, ...TO_ITS_HOST };
export type FromInterpreter = Message<typeof FROM_INTERPRETER>;
/** Handlers of what an interpreter tells its host alone. */
export type HostHandlers = Handlers<Slotted<typeof TO_ITS_HOST>>;

/** What a session host sends. It may have been taken over by what it runs. */
export const FROM_HOST = {
  ...slotted(UP),
  /** An interpreter is gone: asked for (`closed`) or by itself (`crashed`). */
  ended: kind({ slot, reason: oneOf("closed", "crashed"), message: text(4096) }),
  /** The host cannot work at all. */
  fault: kind({ message: text(4096) }),
};
export type FromHost = Message<typeof FROM_HOST>;

/** From the main process to an interpreter: its host takes the slot away. */
const DOWN = {
  /** Body: a `CallMessage`, handed to Python unread. */
  call: kind({ call: serial }, { body: ANY_LENGTH, turn: "begins" }),
  /** Answer to `ask`. Body: an `AskOutcome`, handed to Python unread. */
  ask_done: kind({ request: serial }, { body: ANY_LENGTH, turn: "answers an ask" }),
  /** Answer to `http`. `meta`: a `HttpOutcomeMeta` as JSON; body: the answer's. */
  http_done: kind(
    { request: serial, meta: anyText },
    { body: ANY_LENGTH, turn: "answers an http" },
  ),
  /**
   * Parks an interpreter, unless it cannot be, has a timer that is due within `soon_ms`, or would be
   * larger than `max_bytes`.
   */
  park: kind({ soon_ms: integer(0), max_bytes: integer(0) }, { turn: "parks" }),
  /** Says `idle` when nothing runs any more. */
  end: kind({}, { turn: "dismisses" }),
};

/** From the main process to a host alone. */
const TO_HOST_ALONE = {
  /** First of all: where the interpreter's files are, and the most memory that one may have. */
  init: kind({ interpreter: anyText, memory_pages: integer(1) }),
  /**
   * Boots an interpreter as far as it is the same for all servers. `images`: what may be wanted;
   * `waits`: its session is still to come, and a rehearsal follows.
   */
  boot: kind({ slot, images: names, waits: flag }),
  /**
   * Has a booted interpreter go on with the image that its session will probably need, or with none:
   * `open` with another, or `wake`, boots it anew.
   */
  begin: kind({ slot, image: orNull(anyText) }),
  /**
   * Gives a booted interpreter the code and runs the entrypoint. `options`: `LoadOptions`, JSON;
   * `image`: the image that it goes on with, null for none; `packages`: files of its own, by name.
   */
  open: kind(
    { slot, options: anyText, files, image: orNull(anyText), packages: byName },
    { body: ANY_LENGTH, turn: "begins" },
  ),
  /**
   * Has a booted interpreter go on as one that was parked. Body: `parked` bytes of that, and the
   * `files` that it began with; `image` and `packages` as they were.
   */
  wake: kind(
    { slot, files, image: orNull(anyText), packages: byName, parked: integer(0) },
    { body: ANY_LENGTH, turn: "begins" },
  ),
  /** Raises KeyboardInterrupt in the Python code of this call. */
  interrupt: kind({ slot, call }),
  /**
   * No session: packs wheels and modules into what interpreters import from, makes the snapshot of
   * one that has them, or an image, which is one that has imported `modules` of packages, or compiles a
   * package. Body: the files' bytes, in order; of an image, the packages. `own`: of an image for
   * servers with packages of their own, their `SessionPackages` as JSON; else null. `stays`: the
   * worker of this slot gets another task, for which it boots another interpreter.
   */
  prepare: kind(
    {
      slot,
      task: oneOf("pack", "snapshot", "image", "compile"),
      files,
      modules: names,
      own: orNull(anyText),
      stays: flag,
    },
    { body: ANY_LENGTH },
  ),
};

/** What a session host is sent. */
export const TO_HOST = { ...slotted(DOWN), ...TO_HOST_ALONE };
export type ToHost = Message<typeof TO_HOST>;
/** Handlers of what is sent to a host alone. */
export type CommandHandlers = Handlers<typeof TO_HOST_ALONE, void | Promise<void>>;

const parts = trusted<BootParts>();

/** What a host posts to an interpreter that prepares what others boot from. */
const TO_PREPARE = {
  prepare: kind(
    {
      parts,
      task: TO_HOST_ALONE.prepare.fields.task,
      files,
      modules: names,
      own: orNull(anyText),
      stays: flag,
    },
    { body: ANY_LENGTH },
  ),
};

/** What a host posts to an interpreter that runs a server. */
export const TO_RUN = {
  ...DOWN,
  boot: kind({ parts }),
  begin: kind({ image: orNull(trusted<ImageParts>()) }),
  open: kind(
    { options: anyText, files, image: orNull(trusted<ImageParts>()) },
    { body: ANY_LENGTH, turn: "begins" },
  ),
  /**
   * Body: `bytes` of a parked session, the `files` that it began with, and the files of `packages`,
   * which are the last of `files`.
   */
  wake: kind(
    {
      image: orNull(trusted<ImageParts>()),
      files,
      packages: names,
      libraries: trusted<ImageParts["libraries"]>(),
      bytes: integer(0),
    },
    { body: ANY_LENGTH, turn: "begins" },
  ),
  /** Ends what the call waits for. */
  cancel: kind({ call }),
  /** Answer to `package`. Body: its files, packed; empty when there is none of that name. */
  package_done: kind({ request: serial, found: flag }, { body: ANY_LENGTH }),
};
/** What a host posts to its interpreters. */
export const TO_INTERPRETER = { ...TO_RUN, ...TO_PREPARE };
export type ToInterpreter = Message<typeof TO_INTERPRETER>;

/** Whether the main process is told of a message of an interpreter. */
export function goesUp(message: FromInterpreter): message is Message<typeof UP> {
  return Object.hasOwn(UP, message.type);
}

/** Whether an interpreter is told of a message of the main process. */
export function goesDown(message: ToHost): message is Message<Slotted<typeof DOWN>> {
  return Object.hasOwn(DOWN, message.type);
}
