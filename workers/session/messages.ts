/**
 * Every message between the main process, a session host and the interpreters in it. A new one is
 * an entry here and a handler at each end; types, readers and the host's forwarding follow from it.
 *
 * Between processes a message is a frame: its fields and the slot of the interpreter that it is
 * about are the head. Between the threads of a host it is one object, with its bytes as `body`.
 *
 * @module
 */
import {
  bytes,
  type Fields,
  type FieldsShaped,
  flag,
  integer,
  list,
  object,
  oneOf,
  orNull,
  REFUSED,
  type Shape,
  text,
  trusted,
} from "../wire/shapes.ts";
import type { BootParts, ImageParts } from "./boot_parts.ts";
import {
  MAX_ASK_BYTES,
  MAX_EVENT_BYTES,
  MAX_HTTP_BYTES,
  MAX_HTTP_META_CHARS,
  MAX_RESULT_BYTES,
} from "./limits.ts";

/** What a message has to do with whose turn it is (`turns.ts`). */
export type Turn =
  /** To an interpreter: a call begins, one of its questions is answered, it is to end. */
  | "begins"
  | "answers an ask"
  | "answers an http"
  | "dismisses"
  /** From an interpreter: it has booted; a call is over, or waits; it asks; it says something. */
  | "boots"
  | "finishes"
  | "waits"
  | "asks"
  | "asks for http"
  | "speaks"
  /** From an interpreter: its end was asked for; it has prepared what others boot from; it broke. */
  | "leaves"
  | "prepares"
  | "fails"
  /** Nothing. */
  | "none";

/** How one type of message is written, bounded and read. */
export interface Kind<F extends Fields> {
  fields: F;
  /** Most bytes of its body; 0: it has none. */
  body: number;
  turn: Turn;
  /** Reads the head of a frame. */
  head: Shape<FieldsShaped<F>>;
  /** Reads what a thread posts. */
  posted: Shape<FieldsShaped<F> & { body?: Uint8Array }>;
}
export type Kinds = Readonly<Record<string, Kind<Fields>>>;
export type MessageOf<K extends Kinds, Type extends keyof K> =
  & { type: Type }
  & FieldsShaped<K[Type]["fields"]>;
/** Any message of a table of kinds, told apart by its type. */
export type Message<K extends Kinds> = { [Type in keyof K & string]: MessageOf<K, Type> }[
  & keyof K
  & string
];
/** What is done with each message of these kinds. */
export type Handlers<K extends Kinds, Result = void> = {
  [Type in keyof K]: (message: MessageOf<K, Type>, body: Uint8Array) => Result;
};

const NO_BODY = new Uint8Array(0);
const type = text(32);

function kind<F extends Fields>(
  fields: F,
  { body = 0, turn = "none" }: { body?: number; turn?: Turn } = {},
): Kind<F> {
  const head = object({ type, ...fields });
  const posted = body === 0 ? head : object({ type, ...fields, body: bytes(body) });
  return { fields, body, turn, head, posted } as unknown as Kind<F>;
}

/** Number of an interpreter in its host, given by the main process; client sessions stay there. */
const slot = integer(1);

type Slotted<K extends Kinds> = {
  [Type in keyof K]: Kind<K[Type]["fields"] & { slot: Shape<number> }>;
};

/** The same kinds with the slot that they are about. */
function slotted<K extends Kinds>(kinds: K): Slotted<K> {
  const entries = Object.entries(kinds).map(([type, { fields, body, turn }]) =>
    [type, kind({ slot, ...fields }, { body, turn })] as const
  );
  return Object.fromEntries(entries) as unknown as Slotted<K>;
}

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
   * Gives a booted interpreter the code and runs the entrypoint. `options`: `LoadOptions`, JSON;
   * `image`: the image that it goes on with, null for none; `packages`: files of its own, by name.
   */
  open: kind(
    { slot, options: anyText, files, image: orNull(anyText), packages: byName },
    { body: ANY_LENGTH, turn: "begins" },
  ),
  /** Raises KeyboardInterrupt in the Python code of this call. */
  interrupt: kind({ slot, call }),
  /**
   * Setup only: packs wheels and modules into what interpreters import from, makes the snapshot of
   * one that has them, or an image, which is one that has imported `modules` of packages. Body: the
   * files' bytes, in order; of an image, the packages.
   */
  prepare: kind(
    { slot, task: oneOf("pack", "snapshot", "image"), files, modules: names },
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
    { parts, task: TO_HOST_ALONE.prepare.fields.task, files, modules: names },
    { body: ANY_LENGTH },
  ),
};

/** What a host posts to an interpreter that runs a server. */
export const TO_RUN = {
  ...DOWN,
  boot: kind({ parts }),
  open: kind(
    { options: anyText, files, image: orNull(trusted<ImageParts>()) },
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

/** The kind of the message that `value` says it is; undefined when there is none. */
function kindOf<K extends Kinds>(kinds: K, value: unknown): K[keyof K] | undefined {
  const type = (value as { type?: unknown } | null | undefined)?.type;
  return typeof type === "string" && Object.hasOwn(kinds, type)
    ? kinds[type as keyof K]
    : undefined;
}

/** Reads the head of a frame; null when it is none of `kinds`. */
export function readHead<K extends Kinds>(kinds: K, value: unknown): Message<K> | null {
  const head = kindOf(kinds, value)?.head(value) ?? REFUSED;
  return head === REFUSED ? null : head as unknown as Message<K>;
}

/** Reads what a thread posted; null when it is none of `kinds`. */
export function readPosted<K extends Kinds>(
  kinds: K,
  value: unknown,
): { message: Message<K>; body: Uint8Array } | null {
  const posted = kindOf(kinds, value)?.posted(value) ?? REFUSED;
  if (posted === REFUSED) return null;
  const { body = NO_BODY, ...message } = posted;
  return { message: message as unknown as Message<K>, body };
}

/** Whether the main process is told of a message of an interpreter. */
export function goesUp(message: FromInterpreter): message is Message<typeof UP> {
  return Object.hasOwn(UP, message.type);
}

/** Whether an interpreter is told of a message of the main process. */
export function goesDown(message: ToHost): message is Message<Slotted<typeof DOWN>> {
  return Object.hasOwn(DOWN, message.type);
}

/** Calls the handler of a message. */
export function dispatch<K extends Kinds, Result>(
  handlers: Handlers<K, Result>,
  message: Message<K>,
  body: Uint8Array,
): Result {
  const handle = handlers[message.type as keyof K] as (
    message: Message<K>,
    body: Uint8Array,
  ) => Result;
  return handle(message, body);
}
