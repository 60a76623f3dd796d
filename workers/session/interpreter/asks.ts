/**
 * Questions of a session's Python code to the client, carried by the main process.
 *
 * @module
 */
import { MAX_ASK_BYTES, MAX_ASKS_AT_ONCE } from "../limits.ts";
import type { Send } from "./send.ts";

/** Matches answers to questions. */
export interface AskBridge {
  /** Sends a question, JSON text; resolves to the answer, JSON text. */
  ask: (question: string) => Promise<string>;
  done: (request: number, outcome: string) => void;
  /** Questions that wait for their answers. */
  open: () => number;
}

const LIMIT_CODE = -32603;

function refusal(message: string): string {
  return JSON.stringify({ kind: "error", code: LIMIT_CODE, message });
}

/** A bridge that sends questions with `send`. */
export function createAskBridge(send: Send): AskBridge {
  const encoder = new TextEncoder();
  const waiting = new Map<number, (outcome: string) => void>();
  let last = 0;
  return {
    ask(question) {
      if (waiting.size >= MAX_ASKS_AT_ONCE) {
        return Promise.resolve(
          refusal(`A session may have ${MAX_ASKS_AT_ONCE} requests to the client open at once`),
        );
      }
      const bytes = encoder.encode(question);
      if (bytes.length > MAX_ASK_BYTES) {
        const limit = MAX_ASK_BYTES / 1024 / 1024;
        return Promise.resolve(refusal(`A request to the client may have ${limit} MiB`));
      }
      const request = ++last;
      return new Promise((resolve) => {
        waiting.set(request, resolve);
        send({ type: "ask", request }, bytes);
      });
    },
    done(request, outcome) {
      const resolve = waiting.get(request);
      waiting.delete(request);
      resolve?.(outcome);
    },
    open: () => waiting.size,
  };
}
