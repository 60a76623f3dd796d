/**
 * Takes a session's secrets out of what its server says: results, errors, logs, notifications and
 * questions. A server that shows one by mistake shows its name.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { RawJson } from "../../protocol/raw_json.ts";
import { createHiding, type Hidden } from "../../text/hide.ts";
import type { CallOutcome } from "../interpreters/types.ts";
import type { NamedValue, SessionEnvironment } from "./environment.ts";
import type { Launched, ServerEvents } from "./launch.ts";
import type { SessionInterpreter } from "../parked/session_interpreter.ts";

/** Shorter ones are part of ordinary text, and no secrets. */
const MASKED_MIN_CHARS = 6;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What takes secrets out. */
export interface Masking {
  /** From now on these values are taken out too, in the place of those that were learnt before. */
  learn(values: readonly NamedValue[]): void;
  text(text: string): string;
  json(raw: RawJson): RawJson;
  /** The same, while others have their turn. */
  jsonInTurns(raw: RawJson): Promise<RawJson>;
  /** Any value of JSON, some of it raw. */
  value<T>(value: T): T;
}

/**
 * What stands in strings of a JSON text, at its place; nothing else is searched: a number that has
 * the digits of a secret stays a number.
 */
function onlyStrings(bytes: Uint8Array): Uint8Array {
  const strings = new Uint8Array(bytes.length);
  let isInside = false;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) {
      isInside = !isInside;
      continue;
    }
    if (!isInside) continue;
    strings[at] = bytes[at]!;
    if (bytes[at] === BACKSLASH) strings[at + 1] = bytes[++at]!;
  }
  return strings;
}

function maskedIn(secrets: readonly NamedValue[]): Hidden[] {
  return secrets.filter(([, value]) => value.length >= MASKED_MIN_CHARS)
    .map(([name, value]) => ({ from: Buffer.from(value), to: Buffer.from(`[${name}]`) }));
}

/** What takes `secrets` out of texts; null when there are none. */
export function createMasking(secrets: SessionEnvironment): Masking | null {
  const masked = maskedIn(Object.entries(secrets));
  if (masked.length === 0) return null;
  let inTexts = createHiding(masked, MASKED_MIN_CHARS);
  let inStrings = createHiding(masked, MASKED_MIN_CHARS, { onlyIn: onlyStrings });
  const masking: Masking = {
    learn(values) {
      const all = [...masked, ...maskedIn(values)];
      inTexts = createHiding(all, MASKED_MIN_CHARS);
      inStrings = createHiding(all, MASKED_MIN_CHARS, { onlyIn: onlyStrings });
    },
    text: (text) => inTexts.text(text),
    json(raw) {
      const bytes = inStrings.now(raw.bytes);
      return bytes === null ? raw : RawJson.checked(bytes);
    },
    async jsonInTurns(raw) {
      const bytes = await inStrings.inTurns(raw.bytes);
      return bytes === null ? raw : RawJson.checked(bytes);
    },
    value<T>(value: T): T {
      if (typeof value === "string") return masking.text(value) as T;
      if (value instanceof RawJson) return masking.json(value) as T;
      if (Array.isArray(value)) return value.map((one) => masking.value(one)) as T;
      if (typeof value !== "object" || value === null) return value;
      const entries = Object.entries(value).map(([key, one]) => [
        masking.text(key),
        masking.value(one),
      ]);
      return Object.fromEntries(entries) as T;
    },
  };
  return masking;
}

/** The events of a server, without secrets. */
export function maskedEvents<T extends Pick<ServerEvents, "onLog" | "onNotification" | "ask">>(
  events: T,
  masking: Masking | null,
): T {
  if (masking === null) return events;
  return {
    ...events,
    onLog: (log) => events.onLog({ ...log, text: masking.text(log.text) }),
    onNotification: (said) =>
      events.onNotification({ ...said, params: said.params && masking.json(said.params) }),
    ask: (question, signal) =>
      events.ask(
        { ...question, params: question.params && masking.json(question.params) },
        signal,
      ),
  };
}

async function maskedOutcome(outcome: CallOutcome, masking: Masking): Promise<CallOutcome> {
  if (outcome.kind === "result") {
    return { ...outcome, result: await masking.jsonInTurns(outcome.result) };
  }
  const message = masking.text(outcome.message);
  if (outcome.kind === "ended") return { ...outcome, message };
  return {
    ...outcome,
    message,
    ...(outcome.data === undefined ? {} : { data: masking.value(outcome.data) }),
  };
}

/** `interpreter`, whose answers show no secret. */
function maskedInterpreter(
  interpreter: SessionInterpreter,
  masking: Masking,
): SessionInterpreter {
  return {
    get pid() {
      return interpreter.pid;
    },
    get isParked() {
      return interpreter.isParked;
    },
    request: async (method, params, options) =>
      await maskedOutcome(await interpreter.request(method, params, options), masking),
    get isStill() {
      return interpreter.isStill;
    },
    leave: () => interpreter.leave(),
    stay: () => interpreter.stay(),
    close: () => interpreter.close(),
  };
}

/** What came of a start, without secrets. */
export function maskedStart(launched: Launched, masking: Masking | null): Launched {
  if (masking === null) return launched;
  if (launched.kind !== "running") return { ...launched, error: masking.value(launched.error) };
  const interpreter = maskedInterpreter(launched.interpreter, masking);
  return { ...launched, interpreter, info: masking.value(launched.info) };
}
