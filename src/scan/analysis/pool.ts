/**
 * The host processes: at most a few at once, each for one scan, and a fresh one that waits. What has
 * read one repository never meets another: engines that hostile source took over would say of the
 * next server what they like.
 *
 * @module
 */
import type { HostProcess } from "./process.ts";

/** Hands out fresh processes; each is ended by whom it was given. */
export interface HostPool {
  /** Waits for a free place, then gives a process. Rejects when `signal` aborts. */
  take(signal?: AbortSignal): Promise<HostProcess>;
  /** Ends a process and frees its place. */
  end(host: HostProcess): Promise<void>;
  /** Ends a process and gives another for its place. */
  replace(host: HostProcess): Promise<HostProcess>;
  /**
   * Keeps a process that `ready` has prepared for the next scan, when none is at work or kept: else
   * one is prepared later. `ready` says whether the process may be used.
   */
  prepare(ready: (host: HostProcess) => Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

function shuttingDown(): Error {
  return new Error("Cannot analyse: the service is shutting down");
}

/** A pool of at most `size` processes made by `start`. */
export function createPool(size: number, start: () => HostProcess): HostPool {
  const living = new Set<HostProcess>();
  const waiting: { wake: () => void; refuse: (reason: unknown) => void }[] = [];
  let fresh: HostProcess | null = null;
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
  async function kill(host: HostProcess): Promise<void> {
    await host.kill();
    living.delete(host);
  }
  function begin(): HostProcess {
    if (closed) throw shuttingDown();
    const kept = fresh;
    fresh = null;
    if (kept?.alive) return kept;
    if (kept !== null) living.delete(kept);
    const host = start();
    living.add(host);
    return host;
  }

  async function take(signal?: AbortSignal): Promise<HostProcess> {
    if (closed) throw shuttingDown();
    await place(signal);
    try {
      // It may have been closed meanwhile: nobody would end what is started now.
      return begin();
    } catch (error) {
      free();
      throw error;
    }
  }
  async function end(host: HostProcess): Promise<void> {
    try {
      await kill(host);
    } finally {
      free();
    }
  }

  return {
    take,
    end,
    async replace(host) {
      await kill(host);
      try {
        return begin();
      } catch (error) {
        free();
        throw error;
      }
    },
    async prepare(ready) {
      if (closed || places < size || fresh?.alive) return;
      const host = await take();
      let sound = false;
      try {
        sound = await ready(host);
      } finally {
        if (sound && host.alive && fresh === null && !closed) {
          fresh = host;
          free();
        } else await end(host);
      }
    },
    async close() {
      closed = true;
      for (const { refuse } of waiting.splice(0)) {
        refuse(shuttingDown());
      }
      await Promise.all([...living].map(kill));
    },
  };
}
