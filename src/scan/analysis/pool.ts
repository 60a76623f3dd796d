/**
 * The host processes: at most a few at once, each for one scan, and a fresh one that waits. What has
 * read one repository never meets another: engines that hostile source took over would say of the
 * next server what they like.
 *
 * @module
 */
import type { HostProcess } from "./process.ts";

function shuttingDown(): Error {
  return new Error("Cannot analyse: the service is shutting down");
}

/** Places for so many, first come, first served. */
class Places {
  readonly #waiting: { wake: () => void; refuse: (reason: unknown) => void }[] = [];
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  /** How many are free. */
  get free(): number {
    return this.#free;
  }

  /** Waits for a place. Rejects when `signal` aborts. */
  take(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const entry = { wake, refuse: reject };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(signal?.reason);
      };
      function wake(): void {
        signal?.removeEventListener("abort", leave);
        resolve();
      }
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.push(entry);
    });
  }

  giveBack(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next.wake();
  }

  /** Refuses all who wait. */
  close(reason: () => Error): void {
    for (const { refuse } of this.#waiting.splice(0)) refuse(reason());
  }
}

/** At most so many processes at once. */
export class HostPool {
  readonly #size: number;
  readonly #start: () => HostProcess;
  readonly #places: Places;
  readonly #living = new Set<HostProcess>();
  #fresh: HostProcess | null = null;
  #closed = false;

  constructor(size: number, start: () => HostProcess) {
    this.#size = size;
    this.#start = start;
    this.#places = new Places(size);
  }

  async #kill(host: HostProcess): Promise<void> {
    await host.kill();
    this.#living.delete(host);
  }

  /** A process for a place that was taken, which is given back when there is none. */
  #begin(): HostProcess {
    try {
      // It may have been closed meanwhile: nobody would end what is started now.
      if (this.#closed) throw shuttingDown();
      const kept = this.#fresh;
      this.#fresh = null;
      if (kept?.alive) return kept;
      if (kept !== null) this.#living.delete(kept);
      const host = this.#start();
      this.#living.add(host);
      return host;
    } catch (error) {
      this.#places.giveBack();
      throw error;
    }
  }

  /** Waits for a free place, then gives a process. Rejects when `signal` aborts. */
  async take(signal?: AbortSignal): Promise<HostProcess> {
    if (this.#closed) throw shuttingDown();
    await this.#places.take(signal);
    return this.#begin();
  }

  /** Ends a process and frees its place. */
  async end(host: HostProcess): Promise<void> {
    try {
      await this.#kill(host);
    } finally {
      this.#places.giveBack();
    }
  }

  /** Ends a process and gives another for its place. */
  async replace(host: HostProcess): Promise<HostProcess> {
    await this.#kill(host);
    return this.#begin();
  }

  /**
   * Keeps a process that `ready` has prepared for the next scan, when none is at work or kept: else
   * one is prepared later. `ready` says whether the process may be used.
   */
  async prepare(ready: (host: HostProcess) => Promise<boolean>): Promise<void> {
    if (this.#closed || this.#places.free < this.#size || this.#fresh?.alive) return;
    const host = await this.take();
    let sound = false;
    try {
      sound = await ready(host);
    } finally {
      if (sound && host.alive && this.#fresh === null && !this.#closed) {
        this.#fresh = host;
        this.#places.giveBack();
      } else await this.end(host);
    }
  }

  /** Ends the process that is kept, if there is one. */
  async discard(): Promise<void> {
    const kept = this.#fresh;
    this.#fresh = null;
    if (kept !== null) await this.#kill(kept);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#places.close(shuttingDown);
    await Promise.all([...this.#living].map((host) => this.#kill(host)));
  }
}
