/**
 * What a session's code says to its client without being asked: output and notifications, each
 * sent on only when the client is to have it.
 *
 * @module
 */
import type { ClientAbilities } from "../../protocol/abilities.ts";
import type { RequestId } from "../../protocol/json_rpc.ts";
import type { LoggingLevel } from "../../protocol/mcp.ts";
import { isUrgentEnough, type Notice, readNotice } from "../../protocol/notices.ts";
import type { ServerLog, ServerNotification } from "../interpreters/types.ts";
import type { InFlight } from "./in_flight.ts";
import { SUBSCRIPTIONS_MAX } from "../limits.ts";
import type { Receiver } from "../streams/receiver.ts";

export interface NotifierDeps {
  inFlight: InFlight;
  /** Where what belongs to no request goes. */
  unrelated: Receiver;
  /** What the client wants to hear of the log; null: all. */
  level(): LoggingLevel | null;
  abilities(): ClientAbilities;
}

/** The one-way messages of one session. */
export interface Notifier {
  log(log: ServerLog): void;
  notify(notification: ServerNotification): void;
  /** Where messages of this request go. */
  receiverOf(requestId: RequestId | null): Receiver;
  /** The client wants to hear of changes of a resource. @returns Whether it may watch one more. */
  subscribe(uri: string): boolean;
  unsubscribe(uri: string): void;
  /** What the client watches. */
  watched(): string[];
}

export function createNotifier(deps: NotifierDeps): Notifier {
  const watched = new Set<string>();

  function receiverOf(requestId: RequestId | null): Receiver {
    const own = deps.inFlight.byId(requestId)?.receiver;
    // A client that takes no stream for its answers may still listen on one of its own.
    return own === undefined || !own.canCarry() && deps.unrelated.canCarry() ? deps.unrelated : own;
  }

  /** Where the notice goes; null when the client is not to have it. */
  function destination(notice: Notice, requestId: RequestId | null): Receiver | null {
    switch (notice.kind) {
      case "progress": {
        const request = deps.inFlight.byToken(notice.token);
        // Only of what runs, and only forward.
        if (request === undefined || !(notice.progress > request.progress)) return null;
        request.progress = notice.progress;
        return request.receiver;
      }
      case "message":
        return isUrgentEnough(notice.level, deps.level()) ? receiverOf(requestId) : null;
      case "updated": {
        // The resource itself, or a part of one that is watched.
        const isWatched = watched.has(notice.uri) ||
          [...watched].some((uri) => notice.uri.startsWith(uri));
        return isWatched ? deps.unrelated : null;
      }
      case "elicitation":
        return deps.abilities().urls ? receiverOf(requestId) : null;
      case "list_changed":
        return receiverOf(requestId);
    }
  }

  return {
    receiverOf,
    log({ level, logger, text, requestId }) {
      const params = { level, logger, data: text };
      if (!isUrgentEnough(level as LoggingLevel, deps.level())) return;
      receiverOf(requestId).send({ jsonrpc: "2.0", method: "notifications/message", params });
    },
    notify({ method, params, requestId }) {
      const notice = readNotice(method, params);
      const receiver = notice && destination(notice, requestId);
      if (receiver === null) return;
      receiver.send({ jsonrpc: "2.0", method, ...(params === null ? {} : { params }) });
    },
    subscribe(uri) {
      if (watched.size >= SUBSCRIPTIONS_MAX && !watched.has(uri)) return false;
      watched.add(uri);
      return true;
    },
    unsubscribe: (uri) => void watched.delete(uri),
    watched: () => [...watched],
  };
}
