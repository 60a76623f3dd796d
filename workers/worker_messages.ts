/**
 * The one reader of what a session's worker posts. Python code reaches JavaScript, and JavaScript
 * can post whatever can be cloned: memory that it shares and makes longer later, a number that is a
 * text, an array with a type. What is read here has exactly the fields of {@link FromWorker}, and
 * its bytes are a copy that no worker can reach.
 *
 * @module
 */
import {
  MAX_ASK_BYTES,
  MAX_EVENT_BYTES,
  MAX_HTTP_BYTES,
  MAX_HTTP_META_CHARS,
  MAX_RESULT_BYTES,
} from "./limits.ts";
import { isFixed } from "./wire/own_bytes.ts";
import type { FromWorker } from "./session_messages.ts";

/** What a reader gives for a value that is none of its own. */
const REFUSED = Symbol("refused");
type Reader<T> = (value: unknown) => T | typeof REFUSED;

const OUTCOME_LIMIT = MAX_RESULT_BYTES + 1024;
const MAX_MESSAGE_CHARS = 3000;
const MAX_NAME_CHARS = 128;
const MAX_PARTS = 256;
const MAX_PART_BYTES = 512 * 1024 * 1024;

function integer(least: number): Reader<number> {
  return (value) =>
    Number.isSafeInteger(value) && value as number >= least ? value as number : REFUSED;
}

function text(limit: number, pattern?: RegExp): Reader<string> {
  return (value) => {
    if (typeof value !== "string" || value.length > limit) return REFUSED;
    return pattern === undefined || pattern.test(value) ? value : REFUSED;
  };
}

function bytes(limit: number): Reader<Uint8Array> {
  return (value) => {
    if (!(value instanceof Uint8Array) || !isFixed(value) || value.length > limit) return REFUSED;
    // Of a view, all that it is a view of would be kept.
    return new Uint8Array(value);
  };
}

function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value) => value === null ? null : read(value);
}

function list<T>(read: Reader<T>, limit: number): Reader<T[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length > limit) return REFUSED;
    const entries: T[] = [];
    for (const entry of value) {
      const found = read(entry);
      if (found === REFUSED) return REFUSED;
      entries.push(found);
    }
    return entries;
  };
}

/** An object with these fields and no other, each by its reader. */
function fields<T>(readers: { [Name in keyof T]-?: Reader<T[Name]> }): Reader<T> {
  const names = Object.keys(readers) as (keyof T & string)[];
  return (value) => {
    if (typeof value !== "object" || value === null) return REFUSED;
    if (Object.getPrototypeOf(value) !== Object.prototype) return REFUSED;
    if (Reflect.ownKeys(value).length !== names.length) return REFUSED;
    const found: Partial<T> = {};
    for (const name of names) {
      if (!Object.hasOwn(value, name)) return REFUSED;
      const field = readers[name]((value as T)[name]);
      if (field === REFUSED) return REFUSED;
      found[name] = field;
    }
    return found as T;
  };
}

type Types = FromWorker["type"];
type Message<Type extends Types> = Extract<FromWorker, { type: Type }>;

function just<Type extends string>(type: Type): Reader<Type> {
  return (value) => value === type ? type : REFUSED;
}

const serial = integer(1);
// JSON text in ASCII, as Python writes it: with its escapes it fits a frame's head.
const httpMeta = text(MAX_HTTP_META_CHARS, /^[\x20-\x7e]*$/);

const READERS: { [Type in Types]: Reader<Message<Type>> } = {
  booted: fields({ type: just("booted") }),
  opened: fields({ type: just("opened"), outcome: bytes(OUTCOME_LIMIT) }),
  result: fields({ type: just("result"), call: serial, outcome: bytes(OUTCOME_LIMIT) }),
  waiting: fields({ type: just("waiting"), call: integer(0) }),
  event: fields({ type: just("event"), event: bytes(MAX_EVENT_BYTES) }),
  ask: fields({ type: just("ask"), request: serial, question: bytes(MAX_ASK_BYTES) }),
  http: fields({
    type: just("http"),
    request: serial,
    call: orNull(integer(0)),
    meta: httpMeta,
    body: orNull(bytes(MAX_HTTP_BYTES)),
  }),
  package: fields({ type: just("package"), request: serial, name: text(MAX_NAME_CHARS) }),
  idle: fields({ type: just("idle") }),
  prepared: fields({
    type: just("prepared"),
    parts: list(fields({ name: text(MAX_NAME_CHARS), bytes: bytes(MAX_PART_BYTES) }), MAX_PARTS),
  }),
  fatal: fields({ type: just("fatal"), message: text(MAX_MESSAGE_CHARS) }),
};

/** What a worker says; null when it is nothing that an honest one posts. */
export function readWorkerMessage(value: unknown): FromWorker | null {
  const type = (value as { type?: unknown } | null | undefined)?.type;
  if (typeof type !== "string" || !Object.hasOwn(READERS, type)) return null;
  const message = READERS[type as Types](value);
  return message === REFUSED ? null : message;
}
