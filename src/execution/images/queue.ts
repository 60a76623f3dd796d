/**
 * Servers that wait for an image, in the order in which images are made: one that hangs keeps the
 * others waiting for no longer than a first try.
 *
 * @module
 */
import type { Importing } from "./needed.ts";

/** A server whose turn it is. */
export interface Turn {
  key: string;
  server: Importing;
  /** Its first try was out of time: this one may take long, and stops when another server comes. */
  isLate: boolean;
}

/** Servers that wait; those beyond are noted when they start again. */
const WAITING_MAX = 32;

/** Each key waits once. */
export class ImageQueue {
  readonly #first = new Map<string, Importing>();
  readonly #late = new Map<string, Importing>();
  /** Whose turn it is. */
  #taken: string | null = null;

  /** @returns Whether it waits for a first try from now on. */
  add(key: string, server: Importing): boolean {
    const isNew = !this.#first.has(key) && !this.#late.has(key);
    if (!isNew || key === this.#taken || this.#first.size >= WAITING_MAX) return false;
    this.#first.set(key, server);
    return true;
  }

  /** Puts it behind all others, as its first try was out of time, or a later one was stopped. */
  postpone(key: string, server: Importing): void {
    if (this.#late.size < WAITING_MAX) this.#late.set(key, server);
  }

  /** Takes the next: those whose packages no stranger wrote, then others, then what takes long. */
  take(): Turn | null {
    const firsts = [...this.#first];
    const common = firsts.find(([, { packages }]) => packages === undefined);
    const first = common ?? firsts[0];
    const [key, server] = first ?? [...this.#late][0] ?? [];
    this.#taken = key ?? null;
    if (key === undefined || server === undefined) return null;
    this.#first.delete(key);
    this.#late.delete(key);
    return { key, server, isLate: first === undefined };
  }

  clear(): void {
    this.#first.clear();
    this.#late.clear();
  }
}
