/**
 * What a server's code says beside its answers, within bounds, on its way to the client session.
 *
 * @module
 */
import { pythonEvent } from "../../../workers/session/bodies.ts";
import type { RequestId } from "../../protocol/json_rpc.ts";
import type { RawJson } from "../../protocol/raw_json.ts";
import { headOf, rawMember, smallBodyText } from "./body.ts";
import { createOutputBounds, EVENT_BYTES_PER_MINUTE } from "./output.ts";
import type { InterpreterInput } from "./types.ts";

const HEAD = ["type", "level", "logger", "text", "method", "request_id", "retry_ms"];

export interface EventRelayDeps {
  listener: Pick<InterpreterInput, "onLog" | "onNotification" | "onCloseStream">;
  /** Whether a request with this id runs. */
  runs(id: RequestId | null | undefined): boolean;
  /** Calls a function of the listener, whose failures are no fault of the code. */
  call(callback: () => void): void;
}

export interface EventRelay {
  /** A new call begins: the log budget is full again. */
  begin(): void;
  /** @throws {Error} When no honest interpreter says that. */
  handle(body: Uint8Array): void;
}

/** An event; the parameters of a notification are not looked into. */
function readEvent(body: Uint8Array) {
  const head = headOf(smallBodyText(body), HEAD, "params");
  const params: RawJson | null = rawMember(head["params"]);
  const event = pythonEvent.parse(head);
  return event.type === "notification" ? { ...event, params } : event;
}

export function createEventRelay({ listener, runs, call }: EventRelayDeps): EventRelay {
  const bounds = createOutputBounds();
  let isCut = false;

  /** Says once that output is left out, until some is read again. */
  function tellCut() {
    if (isCut) return;
    isCut = true;
    const limit = EVENT_BYTES_PER_MINUTE / 1024 / 1024;
    const text = `Output truncated: the limit is ${limit} MiB per minute`;
    call(() => listener.onLog({ level: "warning", logger: "berth", text, requestId: null }));
  }

  return {
    begin: bounds.begin,
    handle(body) {
      if (!bounds.read(body.length)) return tellCut();
      isCut = false;
      const event = readEvent(body);
      const requestId = runs(event.request_id) ? event.request_id ?? null : null;
      if (event.type === "log") {
        bounds.log(body.length);
        const { level, logger, text } = event;
        return call(() => listener.onLog({ level, logger, text, requestId }));
      }
      if (!bounds.notification()) return;
      if (event.type === "notification") {
        const { method, params } = event;
        return call(() => listener.onNotification({ method, params, requestId }));
      }
      // Of a request that does not run there is no stream to close.
      if (requestId === null && (event.request_id ?? null) !== null) return;
      call(() => listener.onCloseStream(requestId, event.retry_ms ?? null));
    },
  };
}
