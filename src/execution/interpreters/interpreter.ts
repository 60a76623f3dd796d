/**
 * An interpreter as the main process sees it: what it runs now and what it may therefore say. A
 * message that does not fit ends its host.
 *
 * @module
 */
import type { CallMessage } from "../../../workers/session/bodies.ts";
import { dispatch, type FROM_HOST, type Handlers } from "../../../workers/session/messages.ts";
import type { ServerInfo } from "../../protocol/mcp.ts";
import { jsonBytes, type RawJson } from "../../protocol/raw_json.ts";
import { pythonSpan } from "../calls/python_span.ts";
import { createAskRelay } from "./asks.ts";
import { CallQueue, type WorkOutcome } from "./calls.ts";
import { createEventRelay } from "./events.ts";
import { createHttpRelay } from "./http.ts";
import { boundedListing } from "./listing.ts";
import { endedLoad, lateCause, readLoad, seconds } from "./load.ts";
import { opening } from "./opening.ts";
import type { InterpreterOptions } from "./options.ts";
import { createParking, wake } from "./parking.ts";
import { createRunningRequests } from "./requests.ts";
import { createResultReader, failed } from "./results.ts";
import { PROTOCOL_BROKEN, type Slot, type SlotMessage, type SlotOwner } from "./slot.ts";
import type {
  CallOptions,
  CallOutcome,
  CodeInput,
  EndReason,
  Interpreter,
  LoadOutcome,
  ParkedState,
  ParkOptions,
  ParkOutcome,
} from "./types.ts";

const PARKED = { reason: "parked", message: "The session was parked" } as const;
const CLOSED = { reason: "closed", message: "The session was closed" } as const;

function unexpected({ type }: { type: string }): never {
  throw new Error(`Unexpected message: ${type}`);
}

class SlotInterpreter implements SlotOwner {
  readonly #slot: Slot;
  readonly #input: CodeInput;
  readonly #options: InterpreterOptions;
  readonly #requests = createRunningRequests();
  /** Calls that were interrupted: what they ask for from then on is given up at once. */
  readonly #interrupted = new Set<number>();
  readonly #readResult = createResultReader();
  readonly #calls;
  readonly #asks;
  readonly #http;
  readonly #events;
  readonly #parking;
  readonly #gone = Promise.withResolvers<void>();
  #ended: { reason: EndReason; message: string } | null = null;
  #closing = false;
  #info: ServerInfo | null = null;

  constructor(slot: Slot, input: CodeInput, options: InterpreterOptions) {
    this.#slot = slot;
    this.#input = input;
    this.#options = options;
    this.#calls = new CallQueue({
      interrupt: (call) => this.#interrupt(call),
      kill: (deadlineMs) => this.#killOverdue(deadlineMs),
      graceMs: options.interruptGraceMs,
    });
    this.#http = createHttpRelay((request, signal) => input.http(request, signal), slot.send);
    this.#asks = createAskRelay({
      ask: (question, signal) => input.ask(question, signal),
      callOf: this.#requests.callOf,
      pause: (call) => this.#calls.pause(call),
      send: slot.send,
      onAsked: () => this.#giveUp(),
      onBreach: () => this.#breach(),
    });
    this.#parking = createParking(this.#calls, slot);
    this.#events = createEventRelay({
      listener: input,
      runs: (id) => this.#requests.callOf(id) !== null,
      call: (callback) => this.#call(callback),
    });
  }

  get working(): boolean {
    return this.#calls.working;
  }

  readonly #handlers: Handlers<typeof FROM_HOST> = {
    opened: (_, body) => this.#calls.finish(0, body),
    result: ({ call }, body) => {
      // Only who was asked may answer, with what was asked for; whoever asked reads it.
      if (!this.#requests.has(call)) throw new Error("A result that nobody waits for");
      this.#calls.finish(call, body);
      this.#requests.end(call);
      this.#interrupted.delete(call);
      this.#asks.drop(call);
    },
    waiting: ({ call }) => this.#calls.wait(call),
    event: (_, body) => this.#events.handle(body),
    ask: ({ request }, body) => this.#asks.handle(request, body),
    http: (message, body) => {
      this.#http.handle(message, body);
      this.#giveUp();
    },
    woke: () => this.#calls.finish(0, null),
    stays: ({ reason }) => this.#parking.stays(reason),
    parked: ({ due_ms }, body) => this.#parking.parked(body, due_ms),
    // The first two are for its host, the others for setup and for nobody.
    booted: unexpected,
    ended: unexpected,
    prepared: unexpected,
    fault: unexpected,
  };

  onMessage(message: SlotMessage, body: Uint8Array): void {
    dispatch(this.#handlers, message, body);
  }

  onGone(reason: EndReason, message: string): void {
    const ended = this.#parking.isOver ? PARKED : this.#closing ? CLOSED : { reason, message };
    this.#ended = ended;
    this.#http.abort();
    this.#asks.end();
    this.#calls.end();
    this.#gone.resolve();
    this.#call(() => this.#input.onEnd(ended.reason));
  }

  #interrupt(call: number): void {
    this.#interrupted.add(call);
    this.#slot.send({ type: "interrupt", call });
    this.#giveUp();
  }

  #giveUp(): void {
    for (const call of this.#interrupted) {
      this.#http.abort(call);
      this.#asks.drop(call);
    }
  }

  #killOverdue(deadlineMs: number): void {
    const message = "The session was ended: its code ran longer than the limit of " +
      `${seconds(deadlineMs)} and could not be interrupted`;
    void this.#slot.killHost("timeout", message);
  }

  /** Ends the host for what the interpreter sent. */
  #breach(): void {
    void this.#slot.killHost("protocol", PROTOCOL_BROKEN);
  }

  // What a callback of the caller throws is not the code's fault.
  #call(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#options.onCallbackError(error);
    }
  }

  /** Hands over files and environment and runs the entrypoint, or goes on with what was parked. */
  async start(): Promise<LoadOutcome> {
    const { parked } = this.#input;
    const loaded = parked === undefined ? await this.#load() : await this.#wake(parked);
    if (loaded.kind === "loaded") this.#info = loaded.info;
    return loaded;
  }

  async #wake(parked: ParkedState): Promise<LoadOutcome> {
    const { files, packages } = this.#input;
    const { loadDeadlineMs } = this.#options;
    const woke = await wake(
      {
        calls: this.#calls,
        slot: this.#slot,
        files,
        packages: packages?.files ?? {},
        loadDeadlineMs,
      },
      parked,
    );
    return woke ?? endedLoad(this.#ended ?? CLOSED);
  }

  async park(options: ParkOptions): Promise<ParkOutcome> {
    const outcome = await this.#parking.park(options, {
      image: this.#options.image,
      info: this.#info!,
    });
    if (outcome === null) return { kind: "ended", reason: this.#ended?.reason ?? "closed" };
    if (outcome.kind === "parked") await this.#untilGone();
    return outcome;
  }

  async #load(): Promise<LoadOutcome> {
    const { loadDeadlineMs = this.#options.loadDeadlineMs } = this.#input;
    const outcome = await this.#calls.run<Uint8Array>({
      deadlineMs: loadDeadlineMs,
      start: () => {
        const { message, body } = opening(this.#input, this.#options);
        this.#slot.send(message, body);
      },
    });
    if (outcome.kind !== "finished") return endedLoad(this.#ended ?? CLOSED);
    const loaded = await readLoad(outcome.value).catch(() => this.#breach());
    if (!loaded) return { kind: "raised", message: PROTOCOL_BROKEN, traceback: "" };
    if (!outcome.stopped) return loaded;
    const message = `The entrypoint ran longer than the limit of ${seconds(loadDeadlineMs)}`;
    return { kind: "raised", message, traceback: "", cause: lateCause(loaded) };
  }

  async request(
    method: string,
    params: RawJson,
    { deadlineMs, requestId, signal }: CallOptions,
  ): Promise<CallOutcome> {
    const message: CallMessage = { method, params, request_id: requestId };
    const span = pythonSpan(method);
    const outcome = await this.#calls.run<Uint8Array>({
      deadlineMs,
      signal,
      start: (call) => {
        span.begin();
        this.#events.begin();
        this.#requests.begin(call, requestId);
        this.#slot.send({ type: "call", call }, [jsonBytes(message)]);
      },
    });
    span.end();
    switch (outcome.kind) {
      case "finished":
        return await this.#finished(method, outcome, deadlineMs);
      case "cancelled":
        return failed("The call was cancelled", "cancelled");
      case "full":
        return failed("Too many calls are waiting in this session. Send fewer at once", "busy");
      case "ended":
        return { kind: "ended", ...this.#ended! };
    }
  }

  async #finished(
    method: string,
    { value, stopped }: Extract<WorkOutcome<Uint8Array>, { kind: "finished" }>,
    deadlineMs: number,
  ): Promise<CallOutcome> {
    const outcome = await this.#readResult(value).catch(() => this.#breach());
    if (!outcome) return { kind: "ended", reason: "protocol", message: PROTOCOL_BROKEN };
    if (outcome.kind === "result") return boundedListing(method, outcome);
    // Closing interrupts what runs.
    if (this.#closing) return { kind: "ended", ...CLOSED };
    if (!stopped) return outcome;
    return failed(`The call ran longer than the limit of ${seconds(deadlineMs)}`, "timeout");
  }

  async close(): Promise<void> {
    if (this.#ended !== null) return;
    this.#closing = true;
    if (this.#slot.isAlone) {
      await this.#slot.killHost("closed", "");
      return;
    }
    this.#calls.interrupt();
    this.#slot.send({ type: "end" });
    await this.#untilGone();
  }

  async #untilGone(): Promise<void> {
    const { closeGraceMs } = this.#options;
    const timer = setTimeout(() => void this.#slot.killHost("closed", ""), closeGraceMs);
    await this.#gone.promise;
    clearTimeout(timer);
  }
}

/** Has the interpreter in `slot` run a server, from its entrypoint or from where it was parked. */
export async function startInterpreter(
  slot: Slot,
  input: CodeInput,
  options: InterpreterOptions,
): Promise<Interpreter> {
  const interpreter = new SlotInterpreter(slot, input, options);
  slot.attach(interpreter);
  const load = await interpreter.start().catch(async (error) => {
    // Nobody else would end it.
    await slot.killHost("crashed", "The session could not be started");
    throw error;
  });
  return {
    pid: slot.pid,
    load,
    park: (options) => interpreter.park(options),
    request: (method, params, options) => interpreter.request(method, params, options),
    close: () => interpreter.close(),
  };
}
