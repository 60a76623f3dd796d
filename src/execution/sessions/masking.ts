/**
 * Takes a session's secrets out of what its server says: results, errors, logs, notifications and
 * questions. A server that shows one by mistake shows its name.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { RawJson } from "../../protocol/raw_json.ts";
import type { CallOutcome } from "../interpreters/types.ts";
import type { SessionEnvironment } from "./environment.ts";
import type { Launched, ServerEvents } from "./launch.ts";
import type { SessionInterpreter } from "../parked/session_interpreter.ts";

/** Shorter ones are part of ordinary text, and no secrets. */
const MASKED_MIN_CHARS = 6;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What takes secrets out. */
export interface Masking {
  text(text: string): string;
  json(raw: RawJson): RawJson;
  /** Any value of JSON, some of it raw. */
  value<T>(value: T): T;
}

interface Masked {
  from: string;
  bytes: Buffer;
  to: Buffer;
  name: string;
}

function formsOf(environment: SessionEnvironment): Masked[] {
  return Object.entries(environment)
    .filter(([, value]) => value.length >= MASKED_MIN_CHARS)
    .flatMap(([name, value]) =>
      [...new Set([value, JSON.stringify(value).slice(1, -1), asciiOf(value)])]
        .map((from) => ({ from, bytes: Buffer.from(from), to: Buffer.from(`[${name}]`), name }))
    )
    .sort((a, b) => b.from.length - a.from.length);
}

/** As JSON of ASCII characters alone has it. */
function asciiOf(value: string): string {
  return JSON.stringify(value).slice(1, -1).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Where strings of a JSON text stand: a number that has the digits of a secret stays a number. */
function stringSpans(bytes: Uint8Array): [from: number, to: number][] {
  const spans: [number, number][] = [];
  let from = -1;
  for (let at = 0; at < bytes.length; at++) {
    if (from >= 0 && bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) {
      if (from < 0) from = at + 1;
      else {
        spans.push([from, at]);
        from = -1;
      }
    }
  }
  return spans;
}

function maskBytes(bytes: Uint8Array, forms: readonly Masked[]): Uint8Array | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const present = forms.filter((form) => text.includes(form.bytes));
  if (present.length === 0) return null;
  const parts: Uint8Array[] = [];
  let done = 0;
  for (const [from, to] of stringSpans(bytes)) {
    const before = text.subarray(from, to);
    let after: Buffer = before;
    for (const form of present) {
      for (let at = after.indexOf(form.bytes); at >= 0; at = after.indexOf(form.bytes, at)) {
        after = Buffer.concat([
          after.subarray(0, at),
          form.to,
          after.subarray(at + form.bytes.length),
        ]);
        at += form.to.length;
      }
    }
    if (after === before) continue;
    parts.push(text.subarray(done, from), after);
    done = to;
  }
  return parts.length === 0 ? null : new Uint8Array(Buffer.concat([...parts, text.subarray(done)]));
}

/** What takes `secrets` out of texts; null when there are none. */
export function createMasking(secrets: SessionEnvironment): Masking | null {
  const forms = formsOf(secrets);
  if (forms.length === 0) return null;
  const masking: Masking = {
    text: (text) =>
      forms.reduce((masked, { from, name }) => masked.replaceAll(from, () => `[${name}]`), text),
    json(raw) {
      const bytes = maskBytes(raw.bytes, forms);
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

function maskedOutcome(outcome: CallOutcome, masking: Masking): CallOutcome {
  if (outcome.kind === "result") return { ...outcome, result: masking.json(outcome.result) };
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
      maskedOutcome(await interpreter.request(method, params, options), masking),
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
