/**
 * One stream of events to a client: what was said is kept within bounds, so that a client that lost
 * its connection can come back for the rest. One connection reads it at a time.
 *
 * @module
 */
import { joined } from "../protocol/raw_json.ts";
import type { Clock } from "./clock.ts";
import { KEEP_ALIVE_MS, RETRY_MS, STREAM_EVENTS_MAX } from "./limits.ts";

/** Room that kept events take. */
export interface EventRoom {
  /** Takes room, or says that there is none. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** What {@link createEventStream} needs. */
export interface EventStreamDeps {
  clock: Clock;
  /** Names the stream; part of the ids of its events. */
  id: string;
  /** Makes room for an event, maybe by forgetting older ones. */
  room: EventRoom;
  /** Room for events on their way to who reads now, where there is none to keep them. */
  passing: EventRoom;
  /** Most bytes that are kept while nobody reads; without it the room alone decides. */
  unreadMaxBytes?: number;
}

/** See the module. */
export interface EventStream {
  readonly id: string;
  /** Whether a connection reads it. */
  readonly isConnected: boolean;
  /** Whether a connection ever did. */
  readonly wasConnected: boolean;
  /** Whether nothing more comes. */
  readonly isOver: boolean;
  /** Says `data`, one JSON text without line ends. */
  push(data: Uint8Array): void;
  /** Nothing more comes: connections end when they have everything. */
  end(): void;
  /** Ends the connection that reads it; the client is to come back after `retryMs`. */
  interrupt(retryMs: number | null): void;
  /**
   * A body that reads the stream, in place of the connection there was.
   *
   * @param after Number of the last event that the client has; null goes on where the last
   * connection ended.
   * @param primed Whether it begins with an empty event, which gives the client an id to come back
   * with.
   */
  connect(after: number | null, primed: boolean): ReadableStream<Uint8Array>;
  /** Whether what followed the event with this number is still here. */
  knows(number: number): boolean;
  /** Gives all room back, and takes none from now on: the session is over. */
  release(): void;
  /** Forgets the oldest event that nobody has still to read. @returns The bytes it took, or 0. */
  forget(): number;
}

const ENCODER = new TextEncoder();
const COMMENT = ENCODER.encode(":\n\n");

interface Event {
  number: number;
  bytes: Uint8Array;
  /** Whether it takes room, and stays for who comes back; else it goes when it has been read. */
  isKept: boolean;
}

interface Connection {
  /** Number of the last event that was read. */
  at: number;
  /** Said before anything else. */
  front: Uint8Array | null;
  /** Ended early: said as the last thing. */
  closing: Uint8Array | null;
  wake(): void;
}

/** A stream that nobody reads yet. */
export function createEventStream(deps: EventStreamDeps): EventStream {
  const { id, clock } = deps;
  const events: Event[] = [];
  let last = 0;
  let forgotten = 0;
  let sent = 0;
  let over = false;
  let accounted = true;
  let keptBytes = 0;
  let connection: Connection | null = null;
  let wasConnected = false;

  function frame(number: number, data: Uint8Array): Uint8Array {
    return joined([`event: message\nid: ${id}-${number}\ndata: `, data, "\n\n"]);
  }

  /** An event without a message, whose id the client can come back with. */
  function primer(number: number): Uint8Array {
    return ENCODER.encode(`id: ${id}-${number}\nretry: ${RETRY_MS}\ndata: \n\n`);
  }

  /** Takes an event out, read or not. @returns The bytes it took. */
  function drop(event: Event): number {
    const { number, bytes: { byteLength }, isKept } = event;
    events.splice(events.indexOf(event), 1);
    forgotten = Math.max(forgotten, number);
    if (!isKept) {
      deps.passing.give(byteLength);
      return byteLength;
    }
    keptBytes -= byteLength;
    if (accounted) deps.room.give(byteLength);
    return byteLength;
  }

  function forget(): number {
    const oldest = events.find(({ isKept }) => isKept);
    // What a connection has still to read stays.
    if (oldest === undefined || connection !== null && oldest.number > connection.at) return 0;
    return drop(oldest);
  }

  /** Keeps an event where there is room; else it is only for who reads now. */
  function add(number: number, bytes: Uint8Array): void {
    const { byteLength } = bytes;
    if (!accounted || deps.room.take(byteLength)) {
      keptBytes += byteLength;
      events.push({ number, bytes, isKept: true });
    } else if (connection !== null && deps.passing.take(byteLength)) {
      events.push({ number, bytes, isKept: false });
    } else {
      forgotten = number;
    }
  }

  /** The reader has it. */
  function passed(event: Event): void {
    sent = Math.max(sent, event.number);
    if (!event.isKept) drop(event);
  }

  /** The next thing to say on `own`; null ends it, undefined waits. */
  function next(own: Connection): Uint8Array | null | undefined {
    if (connection !== own) return null;
    if (own.front !== null) {
      const { front } = own;
      own.front = null;
      return front;
    }
    // The client is too slow, and what it has not read is no longer there.
    if (own.at < forgotten) return null;
    const event = events.find(({ number }) => number > own.at);
    if (event !== undefined) {
      own.at = event.number;
      passed(event);
      return event.bytes;
    }
    if (own.closing !== null) {
      const { closing } = own;
      connection = null;
      return closing;
    }
    return over ? null : undefined;
  }

  function connect(after: number | null, primed: boolean): ReadableStream<Uint8Array> {
    const previous = connection;
    const at = after ?? Math.max(sent, forgotten);
    let waiting = Promise.withResolvers<void>();
    const own: Connection = {
      at,
      front: primed ? primer(at) : COMMENT,
      closing: null,
      wake: () => waiting.resolve(),
    };
    connection = own;
    wasConnected = true;
    previous?.wake();
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        for (;;) {
          waiting = Promise.withResolvers();
          const bytes = next(own);
          if (bytes === null) {
            if (connection === own) connection = null;
            return controller.close();
          }
          if (bytes !== undefined) return controller.enqueue(bytes);
          let silent = false;
          const cancelTimer = clock.after(KEEP_ALIVE_MS, () => {
            silent = true;
            waiting.resolve();
          });
          await waiting.promise;
          cancelTimer();
          // Also how a connection that is no longer there is found out.
          if (silent && connection === own) return controller.enqueue(COMMENT);
        }
      },
      cancel() {
        waiting.resolve();
        if (connection !== own) return;
        connection = null;
        // Nobody reads what was only passing.
        for (const event of events.filter(({ isKept }) => !isKept)) drop(event);
      },
    }, { highWaterMark: 0 });
  }

  return {
    id,
    get isConnected() {
      return connection !== null;
    },
    get wasConnected() {
      return wasConnected;
    },
    get isOver() {
      return over;
    },
    push(data) {
      if (over) return;
      const bytes = frame(++last, data);
      if (events.length >= STREAM_EVENTS_MAX) drop(events[0]!);
      add(last, bytes);
      const unreadMax = deps.unreadMaxBytes ?? Infinity;
      while (connection === null && keptBytes > unreadMax) forget();
      connection?.wake();
    },
    end() {
      over = true;
      connection?.wake();
    },
    interrupt(retryMs) {
      if (connection === null || over) return;
      connection.closing = ENCODER.encode(`retry: ${retryMs ?? RETRY_MS}\n\n`);
      connection.wake();
    },
    knows: (number) => number >= forgotten && number <= last,
    connect,
    forget,
    release() {
      if (!accounted) return;
      accounted = false;
      deps.room.give(keptBytes);
    },
  };
}
