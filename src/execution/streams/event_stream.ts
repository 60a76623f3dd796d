/**
 * One stream of events to a client: what was said is kept within bounds, so that a client that lost
 * its connection can come back for the rest. One connection reads it at a time.
 *
 * @module
 */
import { joined } from "../../protocol/raw_json.ts";
import type { Clock } from "../clock.ts";
import { KEEP_ALIVE_MS, RETRY_MS, STREAM_EVENTS_MAX } from "../limits.ts";

/** Room that kept events take. */
export interface EventRoom {
  /** Takes room, or says that there is none. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

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

const ENCODER = new TextEncoder();
const COMMENT = ENCODER.encode(":\n\n");

interface Event {
  number: number;
  bytes: Uint8Array;
  /** Whether it takes room, and stays for who comes back; else it goes when it has been read. */
  isKept: boolean;
}

class Connection {
  /** Number of the last event that was read. */
  at: number;
  /** Said before anything else. */
  #front: Uint8Array | null;
  /** Ended early: said as the last thing. */
  closing: Uint8Array | null = null;
  #waiting = Promise.withResolvers<void>();

  constructor(at: number, front: Uint8Array) {
    this.at = at;
    this.#front = front;
  }

  takeFront(): Uint8Array | null {
    const front = this.#front;
    this.#front = null;
    return front;
  }

  /** Call before looking for what there is to say: {@link Connection.wait} then misses nothing. */
  beginLook(): void {
    this.#waiting = Promise.withResolvers();
  }

  /** Resolves when there may be something to say, or after `ms`. @returns Whether that was it. */
  async wait(clock: Clock, ms: number): Promise<boolean> {
    let late = false;
    const cancelTimer = clock.after(ms, () => {
      late = true;
      this.wake();
    });
    await this.#waiting.promise;
    cancelTimer();
    return late;
  }

  wake(): void {
    this.#waiting.resolve();
  }
}

/** Nobody reads it at first. */
export class EventStream {
  readonly id: string;
  readonly #deps: EventStreamDeps;
  readonly #events: Event[] = [];
  #last = 0;
  #forgotten = 0;
  #sent = 0;
  #over = false;
  #accounted = true;
  #keptBytes = 0;
  #connection: Connection | null = null;
  #wasConnected = false;

  constructor(deps: EventStreamDeps) {
    this.id = deps.id;
    this.#deps = deps;
  }

  /** Whether a connection reads it. */
  get isConnected(): boolean {
    return this.#connection !== null;
  }

  /** Whether a connection ever did. */
  get wasConnected(): boolean {
    return this.#wasConnected;
  }

  /** Whether nothing more comes. */
  get isOver(): boolean {
    return this.#over;
  }

  /** An event without a message, whose id the client can come back with. */
  #primer(number: number): Uint8Array {
    return ENCODER.encode(`id: ${this.id}-${number}\nretry: ${RETRY_MS}\ndata: \n\n`);
  }

  /** Says `data`, one JSON text without line ends. */
  push(data: Uint8Array): void {
    if (this.#over) return;
    const number = ++this.#last;
    const bytes = joined([`event: message\nid: ${this.id}-${number}\ndata: `, data, "\n\n"]);
    if (this.#events.length >= STREAM_EVENTS_MAX) this.#drop(this.#events[0]!);
    this.#add(number, bytes);
    const unreadMax = this.#deps.unreadMaxBytes ?? Infinity;
    while (this.#connection === null && this.#keptBytes > unreadMax) this.forget();
    this.#connection?.wake();
  }

  /** Keeps an event where there is room; else it is only for who reads now. */
  #add(number: number, bytes: Uint8Array): void {
    const { byteLength } = bytes;
    if (!this.#accounted || this.#deps.room.take(byteLength)) {
      this.#keptBytes += byteLength;
      this.#events.push({ number, bytes, isKept: true });
    } else if (this.#connection !== null && this.#deps.passing.take(byteLength)) {
      this.#events.push({ number, bytes, isKept: false });
    } else {
      this.#forgotten = number;
    }
  }

  /** Takes an event out, read or not. @returns The bytes it took. */
  #drop(event: Event): number {
    const { number, bytes: { byteLength }, isKept } = event;
    this.#events.splice(this.#events.indexOf(event), 1);
    this.#forgotten = Math.max(this.#forgotten, number);
    if (!isKept) {
      this.#deps.passing.give(byteLength);
      return byteLength;
    }
    this.#keptBytes -= byteLength;
    if (this.#accounted) this.#deps.room.give(byteLength);
    return byteLength;
  }

  /** Forgets the oldest event that nobody has still to read. @returns The bytes it took, or 0. */
  forget(): number {
    const oldest = this.#events.find(({ isKept }) => isKept);
    const connection = this.#connection;
    // What a connection has still to read stays.
    if (oldest === undefined || connection !== null && oldest.number > connection.at) return 0;
    return this.#drop(oldest);
  }

  /** Nothing more comes: connections end when they have everything. */
  end(): void {
    this.#over = true;
    this.#connection?.wake();
  }

  /** Ends the connection that reads it; the client is to come back after `retryMs`. */
  interrupt(retryMs: number | null): void {
    if (this.#connection === null || this.#over) return;
    this.#connection.closing = ENCODER.encode(`retry: ${retryMs ?? RETRY_MS}\n\n`);
    this.#connection.wake();
  }

  /** Whether what followed the event with this number is still here. */
  knows(number: number): boolean {
    return number >= this.#forgotten && number <= this.#last;
  }

  /** Gives all room back, and takes none from now on: the session is over. */
  release(): void {
    if (!this.#accounted) return;
    this.#accounted = false;
    this.#deps.room.give(this.#keptBytes);
  }

  /**
   * A body that reads the stream, in place of the connection there was.
   *
   * @param after Number of the last event that the client has; null goes on where the last
   * connection ended.
   * @param primed Whether it begins with an empty event, which gives the client an id to come back
   * with.
   */
  connect(after: number | null, primed: boolean): ReadableStream<Uint8Array> {
    const previous = this.#connection;
    const at = after ?? Math.max(this.#sent, this.#forgotten);
    const own = new Connection(at, primed ? this.#primer(at) : COMMENT);
    this.#connection = own;
    this.#wasConnected = true;
    previous?.wake();
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const bytes = await this.#await(own);
        if (bytes === null) controller.close();
        else controller.enqueue(bytes);
      },
      cancel: () => this.#disconnect(own),
    }, { highWaterMark: 0 });
  }

  /** The next thing to say on `own`, as soon as there is something; null ends it. */
  async #await(own: Connection): Promise<Uint8Array | null> {
    for (;;) {
      own.beginLook();
      const bytes = this.#next(own);
      if (bytes === null && this.#connection === own) this.#connection = null;
      if (bytes !== undefined) return bytes;
      const isSilent = await own.wait(this.#deps.clock, KEEP_ALIVE_MS);
      // Also how a connection that is no longer there is found out.
      if (isSilent && this.#connection === own) return COMMENT;
    }
  }

  /** The next thing to say on `own`; null ends it, undefined waits. */
  #next(own: Connection): Uint8Array | null | undefined {
    if (this.#connection !== own) return null;
    const front = own.takeFront();
    if (front !== null) return front;
    // The client is too slow, and what it has not read is no longer there.
    if (own.at < this.#forgotten) return null;
    const event = this.#events.find(({ number }) => number > own.at);
    if (event !== undefined) {
      own.at = event.number;
      this.#sent = Math.max(this.#sent, event.number);
      if (!event.isKept) this.#drop(event);
      return event.bytes;
    }
    if (own.closing === null) return this.#over ? null : undefined;
    this.#connection = null;
    return own.closing;
  }

  #disconnect(own: Connection): void {
    own.wake();
    if (this.#connection !== own) return;
    this.#connection = null;
    // Nobody reads what was only passing.
    for (const event of this.#events.filter(({ isKept }) => !isKept)) this.#drop(event);
  }
}
