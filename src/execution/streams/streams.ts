/**
 * The event streams of one session: one for each request that is answered by a stream, and one for
 * what belongs to no request. Together they keep a bounded number of bytes.
 *
 * @module
 */
import { jsonBytes } from "../../protocol/raw_json.ts";
import type { Clock } from "../clock.ts";
import { type EventRoom, EventStream } from "./event_stream.ts";
import { PASSING_MAX_BYTES, SESSION_EVENTS_MAX_BYTES, UNREAD_MAX_BYTES } from "../limits.ts";
import type { Receiver, ServerMessage } from "./receiver.ts";

export interface StreamsDeps {
  clock: Clock;
  /** Room that all sessions of the node share. */
  nodeRoom: EventRoom;
  /** Makes ids of events unlike those of a session that the client's id had before. */
  nonce: string;
  /** Most bytes this session keeps. */
  maxBytes?: number;
}

/** The event streams of one session. */
export interface Streams {
  /** Carries what belongs to no request; a client reads it with GET. */
  readonly standalone: EventStream;
  /** Puts messages into {@link Streams.standalone}. */
  readonly unrelated: Receiver;
  open(): EventStream;
  /** The stream that an event id names, and the event's number there; null when it is not known. */
  find(eventId: string): { stream: EventStream; after: number } | null;
  /** The session is over. */
  close(): void;
}

/** Room for `most` bytes. */
export function eventRoom(most: number): EventRoom {
  let taken = 0;
  return {
    take(bytes) {
      if (taken + bytes > most) return false;
      taken += bytes;
      return true;
    },
    give: (bytes) => void (taken -= bytes),
  };
}

/** Finished streams that are kept for clients that come back. */
const STREAMS_KEPT = 64;

/** The streams of a session that begins. */
export function createStreams(deps: StreamsDeps): Streams {
  const streams = new Map<string, EventStream>();
  const maxBytes = deps.maxBytes ?? SESSION_EVENTS_MAX_BYTES;
  const own = eventRoom(maxBytes);
  const passing = eventRoom(PASSING_MAX_BYTES);
  let last = 0;

  function take(bytes: number): boolean {
    if (!own.take(bytes)) return false;
    if (deps.nodeRoom.take(bytes)) return true;
    own.give(bytes);
    return false;
  }

  const room: EventRoom = {
    take(bytes) {
      if (bytes > maxBytes) return false;
      if (take(bytes)) return true;
      // What is over, and what was said first, is the least likely to be asked for.
      const byUse = [...streams.values()].toSorted((a, b) => Number(b.isOver) - Number(a.isOver));
      for (const stream of byUse) {
        while (stream.forget() > 0) if (take(bytes)) return true;
      }
      return false;
    },
    give(bytes) {
      own.give(bytes);
      deps.nodeRoom.give(bytes);
    },
  };

  function open(bounds: { unreadMaxBytes?: number } = {}): EventStream {
    const stream = new EventStream({
      clock: deps.clock,
      id: `${deps.nonce}-${(last++).toString(36)}`,
      room,
      passing,
      ...bounds,
    });
    streams.set(stream.id, stream);
    if (streams.size > STREAMS_KEPT) {
      const oldest = [...streams.values()].find(({ isOver, isConnected }) =>
        isOver && !isConnected
      );
      if (oldest !== undefined) {
        streams.delete(oldest.id);
        oldest.release();
      }
    }
    return stream;
  }

  const standalone = open({ unreadMaxBytes: UNREAD_MAX_BYTES });
  return {
    standalone,
    unrelated: {
      // One that went away is likely to come back for what it missed.
      canCarry: () => standalone.wasConnected && !standalone.isOver,
      send: (message: ServerMessage) => standalone.push(jsonBytes(message)),
      interrupt: (retryMs) => standalone.interrupt(retryMs),
    },
    open: () => open(),
    find(eventId) {
      const parts = /^(.{1,64})-(\d{1,15})$/.exec(eventId);
      const stream = parts && streams.get(parts[1]!);
      const after = Number(parts?.[2]);
      return stream?.knows(after) ? { stream, after } : null;
    },
    close() {
      standalone.end();
      // A request that is just ending still has its response to say.
      for (const stream of streams.values()) stream.release();
      streams.clear();
    },
  };
}
