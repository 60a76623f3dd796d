/**
 * A session as the main process sees it: what it runs now and what it may therefore say. A message
 * that does not fit ends its host.
 *
 * @module
 */
import { MAX_EVENT_BYTES } from "../../../workers/session/limits.ts";
import type { CallMessage, LoadOptions } from "../../../workers/session/bodies.ts";
import { dispatch, type FROM_HOST, type Handlers } from "../../../workers/session/messages.ts";
import type { RequestId } from "../../protocol/json_rpc.ts";
import { jsonBytes } from "../../protocol/raw_json.ts";
import { createAskRelay } from "./asks.ts";
import { createCallQueue } from "./calls.ts";
import { PROTOCOL_BROKEN, type Slot, type SlotMessage } from "./host.ts";
import { readEvent } from "./events.ts";
import { createHttpRelay } from "./http.ts";
import { boundedListing } from "./listing.ts";
import { readLoad } from "./load.ts";
import { createOutputBounds, EVENT_BYTES_PER_MINUTE } from "./output.ts";
import { createResultReader } from "./results.ts";
import type { CallOutcome, EndReason, LoadOutcome, OpenSession, SandboxSession } from "./types.ts";

/** Where the repository's files are for Python. */
const ROOT = "/app";
const INTERNAL_ERROR = -32603;
const CLOSED = { reason: "closed", message: "The session was closed" } as const;

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
  /** Most MiB of linear memory, for what is said to who meets that. */
  memoryMb: number;
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
  const requestIds = new Map<number, RequestId>();
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
    onAsked: giveUp,
    onBreach: breach,
  });
  let isCut = false;
  let ended: { reason: EndReason; message: string } | null = null;
  let closing = false;

  function giveUp() {
    for (const call of interrupted) {
      http.abort(call);
      asks.drop(call);
    }
  }

  /** Ends the host for what the session sent. */
  function breach() {
    void slot.killHost("protocol", PROTOCOL_BROKEN);
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
  function callOf(id: RequestId | null | undefined): number | null {
    for (const [call, requestId] of requestIds) if (requestId === id) return call;
    return null;
  }

  /** Says once that output is left out, until some is read again. */
  function tellCut() {
    if (isCut) return;
    isCut = true;
    const limit = EVENT_BYTES_PER_MINUTE / 1024 / 1024;
    const text = `Output was cut: a session may say ${limit} MiB in a minute`;
    call(() => input.onLog({ level: "warning", logger: "berth", text, requestId: null }));
  }

  function onEvent(body: Uint8Array) {
    if (body.length > MAX_EVENT_BYTES) throw new Error(`An event of ${body.length} bytes`);
    if (!bounds.read(body.length)) return tellCut();
    isCut = false;
    const event = readEvent(body);
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

  function unexpected({ type }: { type: string }): never {
    throw new Error(`Unexpected message: ${type}`);
  }

  const handlers: Handlers<typeof FROM_HOST> = {
    opened: (_, body) => calls.finish(0, body),
    result({ call }, body) {
      // Only who was asked may answer; whoever asked reads it.
      calls.finish(call, body);
      requestIds.delete(call);
      interrupted.delete(call);
      asks.drop(call);
    },
    waiting: ({ call }) => calls.wait(call),
    event: (_, body) => onEvent(body),
    ask: ({ request }, body) => asks.handle(request, body),
    http(message, body) {
      http.handle(message, body);
      giveUp();
    },
    booted: unexpected,
    prepared: unexpected,
    ended: unexpected,
    fault: unexpected,
  };

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
    const outcome = await calls.run<Uint8Array>({
      deadlineMs: options.loadDeadlineMs,
      start() {
        const given: LoadOptions = {
          root: ROOT,
          entrypoint,
          profile,
          environment,
          scanned: input.scanned ?? null,
          memory_mb: options.memoryMb,
        };
        slot.send({
          type: "open",
          options: JSON.stringify(given),
          files: [...files].map(([path, bytes]) => ({ path, bytes: bytes.length })),
        }, [...files.values()]);
      },
    });
    if (outcome.kind === "finished" && !outcome.stopped) {
      const loaded = await readLoad(outcome.value).catch(breach);
      if (loaded) return loaded;
      return { kind: "raised", message: PROTOCOL_BROKEN, traceback: "" };
    }
    const message = outcome.kind === "finished"
      ? `The entrypoint ran longer than the limit of ${seconds(options.loadDeadlineMs)}`
      : ended?.message ?? "";
    return { kind: "raised", message, traceback: "" };
  }

  async function finished(
    method: string,
    { value, stopped }: { value: Uint8Array; stopped: boolean },
    deadlineMs: number,
  ): Promise<CallOutcome> {
    const outcome = await readResult(value).catch(breach);
    if (!outcome) return { kind: "ended", reason: "protocol", message: PROTOCOL_BROKEN };
    if (outcome.kind === "result") return boundedListing(method, outcome);
    // Closing interrupts what runs.
    if (closing) return { kind: "ended", ...CLOSED };
    if (!stopped) return outcome;
    const message = `The call ran longer than the limit of ${seconds(deadlineMs)}`;
    return { kind: "error", code: INTERNAL_ERROR, message };
  }

  slot.attach({
    get working() {
      return calls.working;
    },
    onMessage: (message, body) => dispatch(handlers, message, body),
    onGone,
  });
  const loaded = await load();

  return {
    pid: slot.host.pid,
    load: loaded,
    async request(method, params, { deadlineMs, requestId, signal }): Promise<CallOutcome> {
      const message: CallMessage = { method, params, request_id: requestId };
      const outcome = await calls.run<Uint8Array>({
        deadlineMs,
        signal,
        start(call) {
          bounds.begin();
          requestIds.set(call, requestId);
          slot.send({ type: "call", call }, [jsonBytes(message)]);
        },
      });
      switch (outcome.kind) {
        case "finished":
          return await finished(method, outcome, deadlineMs);
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
