/**
 * HTTP requests of a session's Python code, carried out by the main process.
 *
 * @module
 */
import { MAX_HTTP_AT_ONCE, MAX_HTTP_BYTES, MAX_HTTP_META_CHARS } from "../limits.ts";
import type { Send } from "./send.ts";

/** What Python passes as a body: nothing, a converted buffer, or a proxy of a bytes object. */
type PythonBody = null | undefined | Uint8Array | { toJs(): Uint8Array };
/** What Python gets back: the outcome as JSON text, and the answer's body. */
type Answer = [meta: string, body: Uint8Array | undefined];

/** Matches answers to requests. */
export interface HttpBridge {
  /** `call`: whose code asks. */
  request: (meta: string, body: PythonBody, call?: number | null) => Promise<Answer>;
  done: (request: number, meta: string, body: Uint8Array) => void;
  /** Requests that wait for their answers. */
  open: () => number;
}

/** A copy outside Python's memory, so that it can be handed over. */
function copied(body: PythonBody): Uint8Array | null {
  if (body === null || body === undefined) return null;
  return (body instanceof Uint8Array ? body : body.toJs()).slice();
}

function refusal(error: string, message: string): Answer {
  return [JSON.stringify({ kind: "error", error, message }), undefined];
}

/** A bridge that sends requests with `send`. */
export function createHttpBridge(send: Send): HttpBridge {
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  return {
    request(meta, body, call) {
      if (meta.length > MAX_HTTP_META_CHARS) {
        const message =
          `The request's URL and headers are longer than the limit of ${MAX_HTTP_META_CHARS} characters`;
        return Promise.resolve(refusal("limit", message));
      }
      const bytes = copied(body);
      if (waiting.size >= MAX_HTTP_AT_ONCE) {
        const message = `Too many open requests: a session may have ${MAX_HTTP_AT_ONCE}`;
        return Promise.resolve(refusal("limit", message));
      }
      if (bytes !== null && bytes.length > MAX_HTTP_BYTES) {
        const message = `The request's body is larger than ${MAX_HTTP_BYTES / 1024 / 1024} MiB`;
        return Promise.resolve(refusal("too_large", message));
      }
      const request = ++last;
      return new Promise((resolve) => {
        waiting.set(request, resolve);
        const has_body = bytes !== null;
        send(
          { type: "http", request, call: call ?? null, meta, has_body },
          bytes ?? new Uint8Array(0),
        );
      });
    },
    done(request, meta, body) {
      const resolve = waiting.get(request);
      waiting.delete(request);
      resolve?.([meta, body]);
    },
    open: () => waiting.size,
  };
}
