/**
 * The host processes: at most a few at once, one kept warm, the others ended after their work.
 *
 * @module
 */
import type { HostProcess } from "./process.ts";

/** Hands out processes; each is given back once. */
export interface HostPool {
  /** Waits for a free place, then gives a living process. Rejects when `signal` aborts. */
  take(signal?: AbortSignal): Promise<HostProcess>;
  /** Takes a process back; `sound` says whether it may be used again. */
  give(host: HostProcess, sound: boolean): Promise<void>;
  /**
   * Keeps a process that `ready` has prepared, when none is at work or kept: else one comes back.
   * `ready` says whether the process may be used.
   */
  prepare(ready: (host: HostProcess) => Promise<boolean>): Promise<void>;
  /** Ends a process that is kept; false when it is not, since it is at work again or gone. */
  drop(host: HostProcess): Promise<boolean>;
  close(): Promise<void>;
}

function shuttingDown(): Error {
  return new Error("Cannot analyse: the service is shutting down");
}

/** A pool of at most `size` processes made by `start`. */
export function createPool(size: number, start: () => HostProcess): HostPool {
  const living = new Set<HostProcess>();
  const waiting: { wake: () => void; refuse: (reason: unknown) => void }[] = [];
  let warm: HostProcess | null = null;
  let places = size;
  let closed = false;

  function place(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (places > 0) {
      places--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const entry = { wake, refuse: reject };
      function wake(): void {
        signal?.removeEventListener("abort", leave);
        resolve();
      }
      function leave(): void {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(signal?.reason);
      }
      signal?.addEventListener("abort", leave, { once: true });
      waiting.push(entry);
    });
  }
  function free(): void {
    const next = waiting.shift();
    if (next === undefined) places++;
    else next.wake();
  }
  async function end(host: HostProcess): Promise<void> {
    await host.kill();
    living.delete(host);
  }

  async function take(signal?: AbortSignal): Promise<HostProcess> {
    if (closed) throw shuttingDown();
    await place(signal);
    // It may have been closed meanwhile: nobody would end what is started now.
    if (closed) {
      free();
      throw shuttingDown();
    }
    const kept = warm;
    warm = null;
    if (kept?.alive) return kept;
    if (kept !== null) living.delete(kept);
    const host = start();
    living.add(host);
    return host;
  }
  async function give(host: HostProcess, sound: boolean): Promise<void> {
    try {
      if (sound && host.alive && warm === null && !closed) warm = host;
      else await end(host);
    } finally {
      free();
    }
  }

  return {
    take,
    give,
    async prepare(ready) {
      if (closed || places < size || warm?.alive) return;
      const host = await take();
      let sound = false;
      try {
        sound = await ready(host);
      } finally {
        await give(host, sound);
      }
    },
    async drop(host) {
      if (warm !== host) return false;
      warm = null;
      await end(host);
      return true;
    },
    async close() {
      closed = true;
      for (const { refuse } of waiting.splice(0)) {
        refuse(shuttingDown());
      }
      await Promise.all([...living].map(end));
    },
  };
}
