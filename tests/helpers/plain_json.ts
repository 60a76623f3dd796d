/**
 * What sessions take and give, as values in place of text, which tests are easier to read with.
 *
 * @module
 */
import type { AskOutcome } from "../../workers/session/bodies.ts";
import { parseExact, RawJson } from "../../src/protocol/raw_json.ts";
import type {
  CallOptions,
  CallOutcome,
  ClientQuestion,
  Interpreter,
  InterpreterInput,
  ServerNotification,
} from "../../src/execution/interpreters/types.ts";

/** What code says, its parameters as a value; undefined and null are none. */
export type Plain<T extends { params: unknown }> = Omit<T, "params"> & { params: unknown };

/** A question of the code. */
export type PlainQuestion = Plain<ClientQuestion>;
/** A notification of the code. */
export type PlainNotification = Plain<ServerNotification>;

/** What a call comes to, results as values. */
export type PlainOutcome =
  | Exclude<CallOutcome, { kind: "result" }>
  | { kind: "result"; result: unknown };

/** What asks and is told, with values. */
export interface PlainCallbacks {
  onNotification(notification: Plain<ServerNotification>): void;
  ask(question: Plain<ClientQuestion>, signal: AbortSignal): Promise<AskOutcome>;
}

/** A session to start. */
export type PlainInput = Omit<InterpreterInput, keyof PlainCallbacks> & PlainCallbacks;

/** A session that takes and gives values. */
export interface PlainSession extends Omit<Interpreter, "request"> {
  request(method: string, params: unknown, options: CallOptions): Promise<PlainOutcome>;
}

/** Text of a value; null for none. */
export function textOf(value: unknown): RawJson | null {
  return value === undefined || value === null ? null : RawJson.of(value);
}

/** The value of a text, whatever its size; anything else as it is. */
export function valueOf(given: unknown): unknown {
  return given instanceof RawJson ? JSON.parse(given.text()) : given;
}

/** What a call, or a question, came to, as values. */
export function plainOutcome<T extends AskOutcome | CallOutcome>(outcome: T) {
  if (outcome.kind === "result") return { ...outcome, result: valueOf(outcome.result) };
  if (outcome.kind !== "error" || outcome.data === undefined) return outcome;
  return { ...outcome, data: valueOf(outcome.data) };
}

/** Callbacks with values over those of a session. */
export function plainCallbacks(input: InterpreterInput): PlainCallbacks {
  return {
    onNotification: ({ params, ...rest }) =>
      input.onNotification({ ...rest, params: textOf(params) }),
    ask: async ({ params, ...rest }, signal) => {
      const outcome = await input.ask({ ...rest, params: textOf(params) }, signal);
      // Numbers of an answer are those that the client sent.
      return outcome.kind === "result" && outcome.result instanceof RawJson
        ? { ...outcome, result: parseExact(outcome.result.text()) }
        : plainOutcome(outcome);
    },
  };
}

/** What a session is started with, from callbacks that take values. */
export function inputOf(plain: PlainInput): InterpreterInput {
  return {
    ...plain,
    onNotification: ({ params, ...rest }) =>
      plain.onNotification({ ...rest, params: valueOf(params) }),
    ask: ({ params, ...rest }, signal) => plain.ask({ ...rest, params: valueOf(params) }, signal),
  };
}

/** A session that takes and gives values over one that takes and gives text. */
export function plainSession(session: Interpreter): PlainSession {
  return {
    ...session,
    request: async (method, params, options) =>
      plainOutcome(await session.request(method, RawJson.of(params), options)),
  };
}
