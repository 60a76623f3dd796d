/**
 * Numbers of answers as the server wrote them, past a client library that reads JSON with doubles:
 * a number that JavaScript would change travels through it as an object with a name of this process.
 *
 * @module
 */
import { rawNumber } from "../../protocol/raw_json.ts";

/** Name of the member that holds the text of a number; nobody else knows it. */
const MARK = `berth-number-${crypto.randomUUID()}`;

const STARTS_NUMBER = /[-0-9]/;
const IN_NUMBER = /[-+.0-9eE]/;

function marked(text: string): string {
  return String(Number(text)) === text ? text : `{"${MARK}":"${text}"}`;
}

/** Rewrites the numbers of JSON text that comes in pieces; in an event stream only those of data. */
class NumberMarker {
  #number = "";
  #inString = false;
  #isEscaped = false;
  #line = "";
  #inData: boolean;

  constructor(readonly isStream: boolean) {
    this.#inData = !isStream;
  }

  write(piece: string): string {
    let out = "";
    for (const char of piece) out += this.#inData ? this.#json(char) : this.#field(char);
    return out;
  }

  end(): string {
    const out = this.#number === "" ? "" : marked(this.#number);
    this.#number = "";
    return out;
  }

  #field(char: string): string {
    this.#line = char === "\n" ? "" : this.#line + char;
    if (this.#line === "data:") {
      this.#line = "";
      this.#inData = true;
      this.#inString = this.#isEscaped = false;
    }
    return char;
  }

  #json(char: string): string {
    if (this.#inString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (char === "\\") this.#isEscaped = true;
      else if (char === '"') this.#inString = false;
      return char;
    }
    const isPart = this.#number === "" ? STARTS_NUMBER.test(char) : IN_NUMBER.test(char);
    if (isPart) {
      this.#number += char;
      return "";
    }
    if (char === '"') this.#inString = true;
    if (char === "\n" && this.isStream) this.#inData = false;
    return this.end() + char;
  }
}

/** `response` with the numbers marked that JavaScript would change. */
export function markNumbers(response: Response): Response {
  if (response.body === null) return response;
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const marker = new NumberMarker(isStream);
  const body = response.body.pipeThrough(new TextDecoderStream())
    .pipeThrough(
      new TransformStream<string, string>({
        transform: (piece, controller) => controller.enqueue(marker.write(piece)),
        flush: (controller) => controller.enqueue(marker.end()),
      }),
    )
    .pipeThrough(new TextEncoderStream());
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}

function mapped(value: unknown, number: (text: string) => unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapped(item, number));
  const text = Object.hasOwn(value, MARK) ? (value as Record<string, unknown>)[MARK] : undefined;
  if (typeof text === "string") return number(text);
  if (Object.getPrototypeOf(value) === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, mapped(member, number)]),
  );
}

/** `value` with the numbers as `JSON.stringify` is to write them. */
export function exactNumbers(value: unknown): unknown {
  return mapped(value, rawNumber);
}

/** `value` with the numbers that JavaScript has for them. */
export function plainNumbers(value: unknown): unknown {
  return mapped(value, Number);
}

/** The text of a number that stands as its text; null for anything else. */
export function numberText(value: unknown): string | null {
  const isText = typeof value === "object" && value !== null &&
    Object.getPrototypeOf(value) === null;
  return isText ? JSON.stringify(value) : null;
}

/** Members of a result that nobody computes with: they are shown, or passed on. */
const SHOWN = ["structuredContent", "tools"];

/** Where a question's schema is whose numbers are those of the server; see {@link exactSchema}. */
const EXACT_SCHEMA = `${MARK}-schema`;

interface Parts {
  result?: Record<string, unknown>;
  params?: { requestedSchema?: unknown; _meta?: Record<string, unknown> };
}

/** A message of which the library reads plain numbers, and users see exact ones. */
export function readableMessage<T>(message: T): T {
  const plain = plainNumbers(message) as Parts;
  const { result: given, params } = message as Parts;
  if (plain.params !== undefined && params?.requestedSchema !== undefined) {
    const _meta = { ...plain.params._meta, [EXACT_SCHEMA]: exactNumbers(params.requestedSchema) };
    return { ...plain, params: { ...plain.params, _meta } } as T;
  }
  if (plain.result === undefined || given === undefined) return plain as T;
  const exact = SHOWN.filter((name) => Object.hasOwn(given, name))
    .map((name) => [name, exactNumbers(given[name])] as const);
  return { ...plain, result: { ...plain.result, ...Object.fromEntries(exact) } } as T;
}

/** The schema of a question as the server wrote it; `params` are those of a readable message. */
export function exactSchema(params: { requestedSchema?: unknown; _meta?: unknown }): unknown {
  return (Object(params._meta) as Record<string, unknown>)[EXACT_SCHEMA] ?? params.requestedSchema;
}

/** A value of an answer past the library, which takes plain numbers only: see {@link exactAnswer}. */
export function answerValue(value: unknown): unknown {
  const text = numberText(value);
  return text === null ? value : `${MARK}${text}`;
}

/** A message to the server in which the values of an answer are numbers again. */
export function exactAnswer<T>(message: T): T {
  const { result } = message as { result?: { content?: unknown } };
  const { content } = result ?? {};
  if (typeof content !== "object" || content === null || Array.isArray(content)) return message;
  const values = Object.entries(content).map(([name, value]) => [
    name,
    typeof value === "string" && value.startsWith(MARK)
      ? rawNumber(value.slice(MARK.length))
      : value,
  ]);
  return { ...message, result: { ...result, content: Object.fromEntries(values) } };
}
