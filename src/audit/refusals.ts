/**
 * Refusals by policy in the audit log, and session hosts that were ended. Strangers and hostile code
 * cause both as often as they like, so an entry stands for all of a kind within an hour, and a node
 * writes a limited number per hour. What was refused may be told apart by its target; of those only
 * the first few get entries of their own.
 *
 * @module
 */
import type { Sql } from "../database/client.ts";
import type { Logger } from "../log.ts";
import { recordChange } from "./audit.ts";

/** Actor of requests without a token. */
export const ANONYMOUS_ACTOR = "anonymous";

/** A request, or a connection, that a policy refused, or a session host that was ended. */
export interface Refusal {
  /** As in a change. */
  action: `${string}.refuse` | "execution.kill" | "execution.tool_refused";
  /** Token subject; null where nobody is known. */
  actor: string | null;
  subject: string;
  /** Tells apart what has entries of its own although action, subject and actor are the same. */
  kind?: string;
  requestId: string;
  /** Facts of the first of its kind; no secrets. */
  details: Record<string, string>;
  /** What was asked for: each of the first few different ones gets an entry. */
  target?: string;
}

export interface RefusalsOptions {
  sql: Sql;
  log: Logger;
  now: () => Date;
  /** Milliseconds of a clock that never goes back. */
  elapsed?: (() => number) | undefined;
  /** Milliseconds that one entry stands for. */
  windowMs?: number;
}

interface Window {
  first: Refusal;
  start: number;
  repeated: number;
  targets: Set<string>;
}

const WINDOW_MS = 3_600_000;
const FLUSH_MS = 30_000;
/** Kinds of one action at once: refused connections cannot keep others from being written. */
const OF_ACTION_MAX = 200;
/** Kinds of one subject: a stranger cannot use up all of them with one server. */
const OF_SUBJECT_MAX = 20;
/** Targets of one kind that get an entry. */
const TARGETS_MAX = 8;
const TEXT_MAX = 200;

/** `text` as the database can store it, and not longer than may be. */
function bounded(text: string): string {
  return text.slice(0, TEXT_MAX).toWellFormed().replaceAll("\0", "\ufffd");
}

/** Counts the members of groups. */
function createCounts() {
  const counts = new Map<string, number>();
  return {
    of: (group: string) => counts.get(group) ?? 0,
    add(group: string, change: 1 | -1) {
      const number = (counts.get(group) ?? 0) + change;
      if (number === 0) counts.delete(group);
      else counts.set(group, number);
    },
  };
}

/** Takes note of refusals, from when it is made until it is closed. */
export class Refusals {
  readonly #options: RefusalsOptions;
  readonly #elapsed: () => number;
  readonly #windowMs: number;
  readonly #windows = new Map<string, Window>();
  readonly #ofAction = createCounts();
  readonly #ofSubject = createCounts();
  readonly #timer: ReturnType<typeof setInterval>;
  #dropped = 0;
  #writing = Promise.resolve();

  constructor(options: RefusalsOptions) {
    this.#options = options;
    this.#elapsed = options.elapsed ?? (() => performance.now());
    this.#windowMs = options.windowMs ?? WINDOW_MS;
    this.#timer = setInterval(() => this.#endOld(false), FLUSH_MS);
  }

  /** Takes note of one. Never throws, does not wait, and may be handed on by itself. */
  note = (refusal: Refusal): void => {
    const { action, actor, kind = null, target } = refusal;
    const subject = bounded(refusal.subject);
    const key = JSON.stringify([action, subject, actor, kind]);
    const known = this.#windows.get(key);
    if (known !== undefined) return this.#repeat(key, known, { ...refusal, subject });
    if (
      this.#ofAction.of(action) >= OF_ACTION_MAX || this.#ofSubject.of(subject) >= OF_SUBJECT_MAX
    ) {
      this.#dropped++;
      return;
    }
    const first = { ...refusal, subject };
    const targets = new Set(target === undefined ? [] : [target]);
    this.#windows.set(key, { first, start: this.#elapsed(), repeated: 0, targets });
    this.#ofAction.add(action, 1);
    this.#ofSubject.add(subject, 1);
    this.#write(first, {});
  };

  /** Writes the number of repetitions in all windows that have ended, and waits for every write. */
  async flush(): Promise<void> {
    this.#endOld(false);
    await this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#endOld(true);
    await this.#writing;
  }

  #repeat(key: string, known: Window, refusal: Refusal): void {
    const { targets, start } = known;
    const { target } = refusal;
    known.repeated++;
    if (target !== undefined && !targets.has(target) && targets.size < TARGETS_MAX) {
      targets.add(target);
      this.#write(refusal, { further: true });
    }
    if (this.#elapsed() - start >= this.#windowMs) this.#end(key, known);
  }

  #write(
    { action, actor, subject, requestId, details, target }: Refusal,
    more: Record<string, number | boolean>,
  ): void {
    const texts = target === undefined ? details : { ...details, target };
    const facts = Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [key, bounded(text)]),
    );
    this.#writing = this.#writing.then(async () => {
      try {
        await recordChange(this.#options.sql, {
          actor: actor ?? ANONYMOUS_ACTOR,
          action,
          subject,
          requestId,
          at: this.#options.now(),
          details: { ...facts, ...more },
        });
      } catch (error) {
        this.#options.log.warn("audit.refusal_not_saved", { action, error });
      }
    });
  }

  #end(key: string, { first, repeated }: Window): void {
    this.#windows.delete(key);
    this.#ofAction.add(first.action, -1);
    this.#ofSubject.add(first.subject, -1);
    if (repeated === 0) return;
    const { target, ...whole } = first;
    // Only what they have in common: the rest is the first one's.
    const common = Object.entries(first.details).filter(([, text]) => text === first.kind);
    const details = target === undefined ? first.details : Object.fromEntries(common);
    this.#write({ ...whole, details }, { repeated });
  }

  #endOld(all: boolean): void {
    const time = this.#elapsed();
    for (const [key, window] of this.#windows) {
      if (!all && time - window.start < this.#windowMs) break;
      this.#end(key, window);
    }
    if (this.#dropped > 0) {
      this.#options.log.warn("audit.refusals_dropped", { number: this.#dropped });
    }
    this.#dropped = 0;
  }
}
