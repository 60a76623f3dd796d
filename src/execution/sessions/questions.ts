/**
 * Requests of a session's code to the client, from the moment they are asked until the client
 * answers, the time is up, or nobody waits any more.
 *
 * @module
 */
import type { AskOutcome } from "../../../workers/session/bodies.ts";
import type { ClientAbilities } from "../../protocol/abilities.ts";
import { CODES, type RequestId, type RpcError } from "../../protocol/json_rpc.ts";
import { checkQuestion, isAnswer, type QuestionMethod } from "../../protocol/questions.ts";
import type { RawJson } from "../../protocol/raw_json.ts";
import type { Clock } from "../clock.ts";
import type { ClientQuestion } from "../interpreters/types.ts";
import { QUESTION_MAX_MS } from "../limits.ts";
import type { Receiver } from "../streams/receiver.ts";

export interface QuestionsDeps {
  clock: Clock;
  abilities(): ClientAbilities;
  /** Where a question of this request goes; null when no way leads to the client. */
  receiverFor(requestId: RequestId | null): Receiver | null;
}

export interface ClientAnswer {
  id: RequestId | null;
  result?: RawJson;
  error?: RpcError;
}

/** Requests from a server to its client (sampling, elicitation, roots) that wait for an answer. */
export interface Questions {
  /** Never rejects. `signal` aborts when nobody waits any more. */
  ask(question: ClientQuestion, signal: AbortSignal): Promise<AskOutcome>;
  /** Takes an answer; one to no open question is ignored, as it may just be late. */
  answer(answer: ClientAnswer): void;
  /** The session is over. */
  end(): void;
}

interface Open {
  method: QuestionMethod;
  settle(outcome: AskOutcome): void;
}

/** What the official SDK for Python gives for a request that timed out. */
const REQUEST_TIMEOUT = 408;

function failure(code: number, message: string): AskOutcome {
  return { kind: "error", code, message };
}

function outcomeOf(method: QuestionMethod, { result, error }: ClientAnswer): AskOutcome {
  if (error !== undefined) return { kind: "error", ...error };
  if (result !== undefined && isAnswer(method, result)) return { kind: "result", result };
  return failure(CODES.internal, `The client's response to ${method} is invalid`);
}

export function createQuestions(deps: QuestionsDeps): Questions {
  const open = new Map<RequestId, Open>();
  let last = 0;
  let over = false;

  function carry(question: ClientQuestion, receiver: Receiver, signal: AbortSignal) {
    const { method } = question;
    const id = ++last;
    const { promise, resolve } = Promise.withResolvers<AskOutcome>();
    const waitMs = Math.min(question.timeoutMs ?? QUESTION_MAX_MS, QUESTION_MAX_MS);
    function giveUp(reason: string, outcome: AskOutcome) {
      if (!open.has(id)) return;
      settle(outcome);
      const params = { requestId: id, reason };
      receiver.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
    const cancelTimer = deps.clock.after(waitMs, () => {
      const message = `Timed out while waiting for response to ${method}. ` +
        `Waited ${waitMs / 1000} seconds.`;
      giveUp("The request timed out", failure(REQUEST_TIMEOUT, message));
    });
    const onAbort = () =>
      giveUp(
        "The request is no longer needed",
        failure(CODES.internal, "The call was interrupted"),
      );
    function settle(outcome: AskOutcome) {
      open.delete(id);
      cancelTimer();
      signal.removeEventListener("abort", onAbort);
      resolve(outcome);
    }
    signal.addEventListener("abort", onAbort, { once: true });
    open.set(id, { method, settle });
    const { params } = question;
    receiver.send({ jsonrpc: "2.0", id, method, ...(params === null ? {} : { params }) });
    return promise;
  }

  return {
    ask(question, signal) {
      if (over || signal.aborted) {
        return Promise.resolve(failure(CODES.internal, "The session has ended"));
      }
      const check = checkQuestion(question.method, question.params, deps.abilities());
      if (!check.ok) return Promise.resolve(failure(check.code, check.message));
      const receiver = deps.receiverFor(question.requestId);
      if (receiver === null) {
        const message =
          "The request could not be sent to the client, which has no event stream open";
        return Promise.resolve(failure(CODES.server, message));
      }
      return carry(question, receiver, signal);
    },
    answer(answer) {
      const found = answer.id === null ? undefined : open.get(answer.id);
      found?.settle(outcomeOf(found.method, answer));
    },
    end() {
      over = true;
      const ended = failure(CODES.internal, "The session has ended");
      for (const { settle } of [...open.values()]) settle(ended);
    },
  };
}
