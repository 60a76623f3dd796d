/**
 * Servers that wait for an image, in the order in which images are made: neither an author with many
 * servers nor a package that hangs keeps the others waiting for long.
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
  /** How often a late try for it was stopped. */
  stops: number;
}

/** Servers that wait; those beyond are noted when they start again. */
const WAITING_MAX = 64;
const LATE_MAX = 32;
/** Of one author. */
const AUTHOR_MAX = 8;
/** Authors whose last turn is remembered. */
const AUTHORS_MAX = 1000;

/** Each key waits once. */
export class ImageQueue {
  readonly #first = new Map<string, Importing>();
  readonly #late = new Map<string, Omit<Turn, "key" | "isLate">>();
  /** By author: the number of the last turn. */
  readonly #turns = new Map<string, number>();
  #count = 0;
  /** Whose turn it is. */
  #taken: string | null = null;

  /** @returns Whether it waits for a first try from now on. */
  add(key: string, server: Importing): boolean {
    if (key === this.#taken || this.#first.has(key) || this.#late.has(key)) return false;
    const ofAuthor = [...this.#first.values()].filter(({ author }) => author === server.author);
    if (this.#first.size >= WAITING_MAX || ofAuthor.length >= AUTHOR_MAX) return false;
    this.#first.set(key, server);
    return true;
  }

  /** Puts it behind all others: its first try was out of time, or a later one was stopped. */
  postpone({ key, server, isLate, stops }: Turn): void {
    if (this.#late.size >= LATE_MAX) return;
    this.#late.set(key, { server, stops: stops + (isLate ? 1 : 0) });
  }

  /**
   * Takes the next: those whose packages no stranger wrote come first, of each kind the author whose
   * last turn is longest ago, and what takes long when nobody else waits.
   */
  take(): Turn | null {
    const waiting = [...this.#first];
    const common = waiting.filter(([, { packages }]) => packages === undefined);
    const turnOf = ({ author }: Importing) => this.#turns.get(author ?? "") ?? 0;
    const [first] = (common.length > 0 ? common : waiting)
      .sort(([, a], [, b]) => turnOf(a) - turnOf(b));
    const [late] = this.#late;
    this.#taken = (first ?? late)?.[0] ?? null;
    if (first !== undefined) {
      const [key, server] = first;
      this.#first.delete(key);
      if (this.#turns.size >= AUTHORS_MAX) this.#turns.clear();
      this.#turns.set(server.author ?? "", ++this.#count);
      return { key, server, isLate: false, stops: 0 };
    }
    if (late === undefined) return null;
    const [key, { server, stops }] = late;
    this.#late.delete(key);
    return { key, server, isLate: true, stops };
  }

  clear(): void {
    this.#first.clear();
    this.#late.clear();
  }
}
