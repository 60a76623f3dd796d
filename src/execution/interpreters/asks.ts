/**
 * Questions of a session's code to its client, from its messages to the session engine and back.
 *
 * @module
 */
import { MAX_ASK_BYTES, MAX_ASKS_AT_ONCE } from "../../../workers/session/limits.ts";
import { type AskOutcome, pythonAsk } from "../../../workers/session/bodies.ts";
import type { RequestId } from "../../protocol/json_rpc.ts";
import { jsonBytes, type RawJson } from "../../protocol/raw_json.ts";
import { bodyText, headOf, rawMember } from "./body.ts";
import { createBucket } from "./bucket.ts";
import { createByteBudget } from "./budget.ts";
import type { SlotCommand } from "./slot.ts";
import type { ClientQuestion } from "./types.ts";

export interface AskRelayDeps {
  /** Asks the client. Its signal aborts when the call is over or the session ends. */
  ask(question: ClientQuestion, signal: AbortSignal): Promise<AskOutcome>;
  /** The call in flight that has this id; null when none has. */
  callOf(requestId: RequestId | null | undefined): number | null;
  /** The call waits from now on, until what is returned is called. */
  pause(call: number): () => void;
  send(command: SlotCommand, body?: readonly Uint8Array[]): void;
  /** A question is on its way: the call that asks may be one that is being stopped. */
  onAsked(): void;
  /** What came was nothing that an honest worker sends. */
  onBreach(error: unknown): void;
}

export interface AskRelay {
  /** @throws {Error} When no honest worker asks then. */
  handle(request: number, body: Uint8Array): void;
  /** The call is over, or is being stopped: nobody waits for its questions. */
  drop(call: number): void;
  /** The session is over. */
  end(): void;
}

// Python cannot ask this fast; JavaScript that means harm can.
const FLOOD = { capacity: 1000, perSecond: 100 };
/** Bytes of questions of a session in a minute. */
const ASK_BYTES_PER_MINUTE = 32 * 1024 * 1024;
const INTERNAL_ERROR = -32603;
const INVALID_PARAMS = -32602;
const SERVER_ERROR = -32000;
const HEAD = ["method", "request_id", "timeout_ms"];

interface Open {
  /** The call that waits; null when none does, or it is not known yet. */
  call: number | null;
  controller: AbortController;
}

function failure(code: number, message: string): AskOutcome {
  return { kind: "error", code, message };
}

function parsedAsk(text: RawJson) {
  const head = headOf(text, HEAD, "params");
  return { parsed: pythonAsk.safeParse(head), params: rawMember(head["params"]) };
}

export function createAskRelay(deps: AskRelayDeps): AskRelay {
  const isBelowFlood = createBucket(FLOOD);
  const take = createByteBudget(ASK_BYTES_PER_MINUTE);
  const open = new Map<number, Open>();

  function answer(request: number, outcome: AskOutcome) {
    let bytes = jsonBytes(outcome);
    if (bytes.length > MAX_ASK_BYTES) {
      bytes = jsonBytes(
        failure(
          INTERNAL_ERROR,
          `The client's response is larger than the limit of ${MAX_ASK_BYTES} bytes`,
        ),
      );
    }
    deps.send({ type: "ask_done", request }, [bytes]);
  }

  async function asked(body: Uint8Array, entry: Open): Promise<AskOutcome> {
    const { parsed, params } = parsedAsk(await bodyText(body));
    if (!parsed.success) {
      return failure(INVALID_PARAMS, "The request to the client has invalid fields");
    }
    const { method, request_id, timeout_ms } = parsed.data;
    const call = deps.callOf(request_id);
    const requestId = call === null ? null : request_id ?? null;
    entry.call = call;
    const resume = call === null ? () => {} : deps.pause(call);
    try {
      const question = { method, params, requestId, timeoutMs: timeout_ms ?? null };
      const answering = deps.ask(question, entry.controller.signal);
      deps.onAsked();
      return await answering;
    } catch {
      return failure(INTERNAL_ERROR, "The request could not be sent to the client");
    } finally {
      resume();
    }
  }

  async function carry(request: number, body: Uint8Array) {
    const entry: Open = { call: null, controller: new AbortController() };
    open.set(request, entry);
    try {
      answer(request, await asked(body, entry));
    } catch (error) {
      deps.onBreach(error);
    } finally {
      open.delete(request);
    }
  }

  return {
    handle(request, body) {
      if (body.length > MAX_ASK_BYTES) {
        throw new Error(`A request to the client of ${body.length} bytes`);
      }
      if (open.has(request)) {
        throw new Error("The number of a request to the client that is still open");
      }
      if (open.size >= MAX_ASKS_AT_ONCE) throw new Error("Too many open requests to the client");
      if (!isBelowFlood()) throw new Error("Too many requests to the client");
      if (take(body.length)) return void carry(request, body);
      const limit = ASK_BYTES_PER_MINUTE / 1024 / 1024;
      const message = `Too much data: a session may send its client ${limit} MiB per minute`;
      answer(request, failure(SERVER_ERROR, message));
    },
    drop(call) {
      for (const entry of open.values()) if (entry.call === call) entry.controller.abort();
    },
    end() {
      for (const { controller } of open.values()) controller.abort();
    },
  };
}
