/**
 * What the code of a spare session says and asks before it has a client: kept for who takes it, or
 * a reason not to hand it to anybody.
 *
 * @module
 */
import type { CodeInput } from "../interpreters/types.ts";

/** What a client session hears of its code and does for it. */
export type SessionEvents = Pick<
  CodeInput,
  "onLog" | "onNotification" | "onCloseStream" | "ask" | "http" | "onEnd"
>;

/**
 * Why a spare session is no good: its code used the network or asked the client, which a session
 * answers otherwise; wrote more than is kept; did not start; or brought its process to an end.
 */
export type Unfitness = "network" | "asked" | "output" | "not_started" | "ended";

/** Listeners whose client comes later. */
export interface LateEvents {
  readonly events: SessionEvents;
  /** Tells `client` what was said so far, and from now on everything. Once. */
  bind(client: SessionEvents): void;
}

/** Most of what the code may say before it has a client: events, and characters of them. */
const EVENTS_MAX = 200;
const CHARS_MAX = 256 * 1024;
const NO_CLIENT_YET = "There is no client yet";
const METHOD_NOT_FOUND = -32601;

/** Calls `onUnfit` with whatever makes the session unfit, until there is a client. */
export function createLateEvents(onUnfit: (why: Unfitness) => void): LateEvents {
  let client: SessionEvents | null = null;
  const kept: ((client: SessionEvents) => void)[] = [];
  let chars = 0;

  function tell(size: number, what: (client: SessionEvents) => void): void {
    if (client !== null) return what(client);
    chars += size;
    if (kept.length >= EVENTS_MAX || chars > CHARS_MAX) return onUnfit("output");
    kept.push(what);
  }

  return {
    events: {
      onLog: (log) => tell(log.text.length, (to) => to.onLog(log)),
      onNotification: (notification) =>
        tell(notification.params?.bytes.length ?? 0, (to) => to.onNotification(notification)),
      onCloseStream: (requestId, retryMs) => tell(0, (to) => to.onCloseStream(requestId, retryMs)),
      ask(question, signal) {
        if (client !== null) return client.ask(question, signal);
        onUnfit("asked");
        const outcome = { kind: "error", code: METHOD_NOT_FOUND, message: NO_CLIENT_YET } as const;
        return Promise.resolve(outcome);
      },
      http(request, signal) {
        if (client !== null) return client.http(request, signal);
        onUnfit("network");
        const outcome = { kind: "error", error: "refused", message: NO_CLIENT_YET } as const;
        return Promise.resolve(outcome);
      },
      onEnd: (reason) => client === null ? onUnfit("ended") : client.onEnd(reason),
    },
    bind(to) {
      client = to;
      for (const what of kept.splice(0)) what(to);
    },
  };
}
