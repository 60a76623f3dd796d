/**
 * A session as the main process sees it: what it runs now and what it may therefore say. A message
 * that does not fit ends its host.
 *
 * @module
 */
import {
  type CallMessage,
  type LoadOptions,
  loadOutcome,
  pythonEvent,
} from "../../../workers/protocol.ts";
import { createAskRelay } from "./asks.ts";
import { bodyJson } from "./body.ts";
import { createCallQueue } from "./calls.ts";
import type { SessionMessage, Slot } from "./host.ts";
import { createHttpRelay } from "./http.ts";
import { boundedListing } from "./listing.ts";
import { createOutputBounds } from "./output.ts";
import { createResultReader } from "./results.ts";
import type { CallOutcome, EndReason, LoadOutcome, OpenSession, SandboxSession } from "./types.ts";

/** Where the repository's files are for Python. */
const ROOT = "/app";
const INTERNAL_ERROR = -32603;
const CLOSED = { reason: "closed", message: "The session was closed" } as const;

const ENCODER = new TextEncoder();

function json(value: unknown): Uint8Array {
  return ENCODER.encode(JSON.stringify(value));
}

function concat(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const all = new Uint8Array([...files.values()].reduce((sum, bytes) => sum + bytes.length, 0));
  let at = 0;
  for (const bytes of files.values()) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

/** What a session is started with, beside what the caller gives. */
export interface SessionOptions {
  /** Milliseconds the entrypoint may run. */
  loadDeadlineMs: number;
  /** Milliseconds from the interrupt of a call that is out of time to the kill of its host. */
  interruptGraceMs: number;
  /** Milliseconds that a session beside others has to end before its host is killed. */
  closeGraceMs: number;
  /** A callback of the caller threw. */
  onCallbackError(error: unknown): void;
}

/** Hands files and environment to the session in `slot` and runs the entrypoint. */
export async function startSession(
  slot: Slot,
  input: OpenSession,
  options: SessionOptions,
): Promise<SandboxSession> {
  const gone = Promise.withResolvers<void>();
  const http = createHttpRelay((request, signal) => input.http(request, signal), slot.send);
  const bounds = createOutputBounds();
  const readResult = createResultReader();
  /** Ids of the client's requests that run, by their number. */
  const requestIds = new Map<number, string | number>();
  /** Calls that were interrupted: what they ask for from then on is given up at once. */
  const interrupted = new Set<number>();
  const calls = createCallQueue({
    interrupt(call) {
      interrupted.add(call);
      slot.send({ type: "interrupt", call });
      giveUp();
    },
    kill(deadlineMs) {
      const message = "The session was ended: its code ran longer than the limit of " +
        `${seconds(deadlineMs)} and could not be interrupted`;
      void slot.killHost("timeout", message);
    },
    graceMs: options.interruptGraceMs,
  });
  const asks = createAskRelay({
    ask: (question, signal) => input.ask(question, signal),
    callOf,
    pause: calls.pause,
    send: slot.send,
  });
  let ended: { reason: EndReason; message: string } | null = null;
  let closing = false;

  function giveUp() {
    for (const call of interrupted) {
      http.abort(call);
      asks.drop(call);
    }
  }

  // What a callback of the caller throws is not this session's fault.
  function call(callback: () => void) {
    try {
      callback();
    } catch (error) {
      options.onCallbackError(error);
    }
  }

  /** The call that a request's id stands for; the code may name any, only what runs counts. */
  function callOf(id: string | number | null | undefined): number | null {
    for (const [call, requestId] of requestIds) if (requestId === id) return call;
    return null;
  }

  function onEvent(body: Uint8Array) {
    const event = pythonEvent.parse(bodyJson(body));
    const requestId = callOf(event.request_id) === null ? null : event.request_id ?? null;
    if (event.type === "log") {
      bounds.log(body.length);
      const { level, logger, text } = event;
      return call(() => input.onLog({ level, logger, text, requestId }));
    }
    if (!bounds.notification()) return;
    if (event.type === "notification") {
      const { method, params } = event;
      return call(() => input.onNotification({ method, params, requestId }));
    }
    // Of a request that does not run there is no stream to close.
    if (requestId === null && (event.request_id ?? null) !== null) return;
    call(() => input.onCloseStream(requestId, event.retry_ms ?? null));
  }

  function onMessage(message: SessionMessage, body: Uint8Array) {
    switch (message.type) {
      case "opened":
        // Before anything large is read: only who was asked may answer.
        calls.expect(0);
        return calls.finish(0, loadOutcome.parse(bodyJson(body)));
      case "result":
        calls.expect(message.call);
        calls.finish(message.call, readResult(body));
        requestIds.delete(message.call);
        interrupted.delete(message.call);
        return asks.drop(message.call);
      case "waiting":
        return calls.wait(message.call);
      case "event":
        return onEvent(body);
      case "ask":
        asks.handle(message.request, body);
        return giveUp();
      case "http":
        http.handle(message, body);
        return giveUp();
      default:
        throw new Error(`Unexpected message: ${message.type}`);
    }
  }

  function onGone(reason: EndReason, message: string) {
    ended = closing ? CLOSED : { reason, message };
    const final = ended.reason;
    http.abort();
    asks.end();
    calls.end();
    gone.resolve();
    call(() => input.onEnd(final));
  }

  async function load(): Promise<LoadOutcome> {
    const { entrypoint, profile, environment, files } = input;
    const outcome = await calls.run<LoadOutcome>({
      deadlineMs: options.loadDeadlineMs,
      start() {
        const given: LoadOptions = {
          root: ROOT,
          entrypoint,
          profile,
          environment,
          scanned: input.scanned ?? null,
        };
        slot.send({
          type: "open",
          options: JSON.stringify(given),
          files: [...files].map(([path, bytes]) => ({ path, bytes: bytes.length })),
        }, concat(files));
      },
    });
    if (outcome.kind === "finished" && !outcome.stopped) return outcome.value;
    const message = outcome.kind === "finished"
      ? `The entrypoint ran longer than the limit of ${seconds(options.loadDeadlineMs)}`
      : ended?.message ?? "";
    return { kind: "raised", message, traceback: "" };
  }

  slot.attach({
    get working() {
      return calls.working;
    },
    onMessage,
    onGone,
  });
  const loaded = await load();

  return {
    pid: slot.host.pid,
    load: loaded,
    async request(method, params, { deadlineMs, requestId, signal }): Promise<CallOutcome> {
      const message: CallMessage = { method, params, request_id: requestId };
      const outcome = await calls.run<CallOutcome>({
        deadlineMs,
        signal,
        start(call) {
          bounds.begin();
          requestIds.set(call, requestId);
          slot.send({ type: "call", call }, json(message));
        },
      });
      switch (outcome.kind) {
        case "finished":
          if (outcome.value.kind === "result") return boundedListing(method, outcome.value);
          // Closing interrupts what runs.
          if (closing) return { kind: "ended", ...CLOSED };
          if (!outcome.stopped) return outcome.value;
          return {
            kind: "error",
            code: INTERNAL_ERROR,
            message: `The call ran longer than the limit of ${seconds(deadlineMs)}`,
          };
        case "cancelled":
          return { kind: "error", code: INTERNAL_ERROR, message: "The call was cancelled" };
        case "full":
          return {
            kind: "error",
            code: INTERNAL_ERROR,
            message: "Too many calls wait for this session: send fewer at once",
          };
        case "ended":
          return { kind: "ended", ...ended! };
      }
    },
    async close() {
      if (ended !== null) return;
      closing = true;
      if (slot.host.size === 1) {
        await slot.killHost("closed", "");
        return;
      }
      calls.interrupt();
      slot.send({ type: "end" });
      const timer = setTimeout(() => void slot.killHost("closed", ""), options.closeGraceMs);
      await gone.promise;
      clearTimeout(timer);
    },
  };
}
