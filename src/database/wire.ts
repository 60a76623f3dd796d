/**
 * The parts of PostgreSQL's wire protocol 3.0 that the bridge to the embedded database reads and
 * writes (PostgreSQL documentation, "Message Formats").
 *
 * @module
 */
import { concat } from "../bytes.ts";

const HEADER = 5;
const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;

/** One message: its type as a character, empty for the untyped ones that open a connection. */
export interface WireMessage {
  type: string;
  bytes: Uint8Array;
}

/** What an untyped message asks for. */
export type Opening = "startup" | "encryption" | "cancel";

/** Which {@link Opening} an untyped message is. */
export function openingOf(message: Uint8Array): Opening {
  const code = new DataView(message.buffer, message.byteOffset).getUint32(4);
  if (code === SSL_REQUEST || code === GSS_REQUEST) return "encryption";
  return code === CANCEL_REQUEST ? "cancel" : "startup";
}

/**
 * Splits a byte stream of a client into messages. The first message of a connection has no type
 * byte; a refused request for encryption is followed by another such one.
 */
export function createSplitter(): { push(bytes: Uint8Array): WireMessage[] } {
  let rest: Uint8Array = new Uint8Array(0);
  let opened = false;
  return {
    push(bytes) {
      rest = rest.length === 0 ? bytes : concat([rest, bytes]);
      const messages: WireMessage[] = [];
      for (;;) {
        const typed = opened ? 1 : 0;
        if (rest.length < 4 + typed) break;
        const length = new DataView(rest.buffer, rest.byteOffset).getUint32(typed) + typed;
        if (rest.length < length) break;
        const message = rest.subarray(0, length);
        rest = rest.subarray(length);
        if (!opened) opened = openingOf(message) === "startup";
        messages.push({
          type: typed === 1 ? String.fromCharCode(message[0]!) : "",
          bytes: message,
        });
      }
      return messages;
    },
  };
}

/** What a backend's answer says beside its rows. */
export interface AnswerFacts {
  /** Status of the last ReadyForQuery: `I` idle, `T` in a transaction, `E` in a failed one. */
  status: "I" | "T" | "E" | null;
  /** NotificationResponse messages, each whole. */
  notifications: Uint8Array[];
}

/** Reads the {@link AnswerFacts} of an answer of whole backend messages. */
export function readAnswer(bytes: Uint8Array): AnswerFacts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const facts: AnswerFacts = { status: null, notifications: [] };
  for (let at = 0; at + HEADER <= bytes.length;) {
    const end = at + 1 + view.getUint32(at + 1);
    const type = bytes[at]!;
    if (type === 0x5a /* Z */) {
      facts.status = String.fromCharCode(bytes[at + HEADER]!) as "I" | "T" | "E";
    } else if (type === 0x41 /* A */) facts.notifications.push(bytes.slice(at, end));
    at = end;
  }
  return facts;
}

function frame(type: string, body: Uint8Array): Uint8Array {
  const message = new Uint8Array(HEADER + body.length);
  message[0] = type.charCodeAt(0);
  new DataView(message.buffer).setUint32(1, body.length + 4);
  message.set(body, HEADER);
  return message;
}

export function errorResponse(sqlState: string, message: string): Uint8Array {
  const fields = `SERROR\0VERROR\0C${sqlState}\0M${message}\0\0`;
  return frame("E", new TextEncoder().encode(fields));
}

export function readyForQuery(status: "I" | "T" | "E"): Uint8Array {
  return frame("Z", new Uint8Array([status.charCodeAt(0)]));
}

export const SYNC: Uint8Array = frame("S", new Uint8Array(0));

export function simpleQuery(sql: string): Uint8Array {
  return frame("Q", new TextEncoder().encode(`${sql}\0`));
}

const COMMENT_OR_LITERAL =
  /(--[^\n]*|\/\*[\s\S]*?\*\/)|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\2\$/g;

/** `sql` without what quotes and comments hold. */
function bare(sql: string): string {
  return sql.replace(COMMENT_OR_LITERAL, (_, comment) => comment === undefined ? " x " : " ");
}

/** Whether a Query or Parse message holds a COPY that reads from the client. */
export function copiesFromClient(message: WireMessage): boolean {
  if (message.type !== "Q" && message.type !== "P") return false;
  const text = new TextDecoder().decode(message.bytes.subarray(HEADER));
  if (!/copy/i.test(text)) return false;
  return /\bcopy\b[^;]*\bfrom\s+stdin\b/i.test(bare(text));
}
