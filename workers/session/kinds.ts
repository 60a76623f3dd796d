/**
 * How messages between main process, hosts and interpreters are described and read. What there is of
 * them is in `messages.ts`.
 *
 * @module
 */
import {
  bytes,
  type Fields,
  type FieldsShaped,
  integer,
  object,
  REFUSED,
  type Shape,
  text,
} from "../wire/shapes.ts";

/** What a message has to do with whose turn it is (`turns.ts`). */
export type Turn =
  /** To an interpreter: a call begins, one of its questions is answered, it is to end or to be parked. */
  | "begins"
  | "answers an ask"
  | "answers an http"
  | "dismisses"
  | "parks"
  /** From an interpreter: it has booted; a call is over, or waits; it asks; it says something. */
  | "boots"
  | "finishes"
  | "waits"
  | "asks"
  | "asks for http"
  | "speaks"
  /** From an interpreter: its end, or its parking, was asked for; it has prepared what others boot from; it broke. */
  | "leaves"
  | "stays"
  | "is parked"
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

/** A kind of message with these fields. */
export function kind<F extends Fields>(
  fields: F,
  { body = 0, turn = "none" }: { body?: number; turn?: Turn } = {},
): Kind<F> {
  const head = object({ type, ...fields });
  const posted = body === 0 ? head : object({ type, ...fields, body: bytes(body) });
  return { fields, body, turn, head, posted } as unknown as Kind<F>;
}

/** Number of an interpreter in its host, given by the main process; client sessions stay there. */
export const slot = integer(1);

/** The same kinds with the slot that each message is about. */
export type Slotted<K extends Kinds> = {
  [Type in keyof K]: Kind<K[Type]["fields"] & { slot: Shape<number> }>;
};

/** Adds the number of an interpreter to the fields of each. */
export function slotted<K extends Kinds>(kinds: K): Slotted<K> {
  const entries = Object.entries(kinds).map(([type, { fields, body, turn }]) =>
    [type, kind({ slot, ...fields }, { body, turn })] as const
  );
  return Object.fromEntries(entries) as unknown as Slotted<K>;
}

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
