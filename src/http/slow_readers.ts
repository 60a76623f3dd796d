/**
 * Clients that ask and do not read: an answer that nobody takes stays in memory, and its connection
 * stays open.
 *
 * @module
 */
import type { Socket } from "node:net";

/** The slowest reading that is waited for. */
export interface ReadingRate {
  /** Until something that waits for a client has gone, in milliseconds. */
  unreadMs: number;
  /** Bytes a second: what waits in one piece has as much longer. */
  unreadRate: number;
  /** How often is looked, in milliseconds. */
  checkMs: number;
}

/** Connections with an answer on its way. */
export interface Readers {
  /** An answer of the connection begins. */
  add(socket: Socket): void;
  /** It has none any more. */
  remove(socket: Socket): void;
  /** Begins to look. */
  start(): void;
  /** Looks no more. */
  stop(): void;
}

interface Progress {
  /** Bytes that had gone. */
  gone: number;
  /** When that was seen first, or nothing waited. */
  since: number;
}

/** Ends connections whose clients read more slowly than `rate`. */
export function watchReaders(rate: ReadingRate): Readers {
  const reading = new Map<Socket, Progress>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function look(): void {
    const now = performance.now();
    for (const [socket, progress] of reading) {
      const waiting = socket.writableLength;
      const gone = socket.bytesWritten - waiting;
      const patience = rate.unreadMs + waiting / rate.unreadRate * 1000;
      if (waiting === 0 || gone !== progress.gone) reading.set(socket, { gone, since: now });
      else if (now - progress.since > patience) {
        reading.delete(socket);
        socket.destroy();
      }
    }
  }

  return {
    add(socket) {
      if (!reading.has(socket)) reading.set(socket, { gone: -1, since: performance.now() });
    },
    remove: (socket) => void reading.delete(socket),
    start: () => timer = setInterval(look, rate.checkMs),
    stop: () => clearInterval(timer),
  };
}
