/**
 * Questions of a session's code to its client, from its messages to the session engine and back.
 *
 * @module
 */
import { MAX_ASK_BYTES, MAX_ASKS_AT_ONCE } from "../../../workers/limits.ts";
import { type AskOutcome, pythonAsk } from "../../../workers/protocol.ts";
import { bodyJson } from "./body.ts";
import { createBucket } from "./bucket.ts";
import type { SessionCommand } from "./host.ts";
import type { ClientQuestion } from "./types.ts";

/** What the relay needs. */
export interface AskRelayDeps {
  /** Asks the client. Its signal aborts when the call is over or the session ends. */
  ask(question: ClientQuestion, signal: AbortSignal): Promise<AskOutcome>;
  /** The call in flight that has this id; null when none has. */
  callOf(requestId: string | number | null | undefined): number | null;
  /** The call waits from now on, until what is returned is called. */
  pause(call: number): () => void;
  send(command: SessionCommand, body?: Uint8Array): void;
}

/** The questions of one session. */
export interface AskRelay {
  /** @throws {Error} When no honest worker sends that. */
  handle(request: number, body: Uint8Array): void;
  /** The call is over, or is being stopped: nobody waits for its questions. */
  drop(call: number): void;
  /** The session is over. */
  end(): void;
}

// Python cannot ask this fast; JavaScript that means harm can.
const FLOOD = { capacity: 1000, perSecond: 100 };
const INTERNAL_ERROR = -32603;
const INVALID_PARAMS = -32602;

/** A relay over `deps`. */
export function createAskRelay(deps: AskRelayDeps): AskRelay {
  const isBelowFlood = createBucket(FLOOD);
  const encoder = new TextEncoder();
  const open = new Map<number, { call: number | null; controller: AbortController }>();

  function answer(request: number, outcome: AskOutcome) {
    let bytes = encoder.encode(JSON.stringify(outcome));
    if (bytes.length > MAX_ASK_BYTES) {
      const message = "The client's answer is larger than the limit";
      bytes = encoder.encode(JSON.stringify({ kind: "error", code: INTERNAL_ERROR, message }));
    }
    deps.send({ type: "ask_done", request }, bytes);
  }

  async function carry(request: number, question: ClientQuestion, call: number | null) {
    const entry = { call, controller: new AbortController() };
    open.set(request, entry);
    const resume = call === null ? () => {} : deps.pause(call);
    try {
      answer(request, await deps.ask(question, entry.controller.signal));
    } catch {
      const message = "The client could not be asked";
      answer(request, { kind: "error", code: INTERNAL_ERROR, message });
    } finally {
      open.delete(request);
      resume();
    }
  }

  return {
    handle(request, body) {
      if (open.has(request)) throw new Error("A number of a question that is open");
      if (open.size >= MAX_ASKS_AT_ONCE) throw new Error("More questions than a session may have");
      if (!isBelowFlood()) throw new Error("A flood of questions");
      const parsed = pythonAsk.safeParse(bodyJson(body));
      if (!parsed.success) {
        const message = "The request to the client has fields that cannot be sent";
        return answer(request, { kind: "error", code: INVALID_PARAMS, message });
      }
      const { method, params, request_id, timeout_ms } = parsed.data;
      const call = deps.callOf(request_id);
      const requestId = call === null ? null : request_id ?? null;
      void carry(request, { method, params, requestId, timeoutMs: timeout_ms ?? null }, call);
    },
    drop(call) {
      for (const entry of open.values()) if (entry.call === call) entry.controller.abort();
    },
    end() {
      for (const { controller } of open.values()) controller.abort();
    },
  };
}
