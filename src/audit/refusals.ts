/**
 * Refusals by policy in the audit log, and session hosts that were ended. Strangers and hostile code
 * cause both as often as they like, so an entry stands for all of a kind within an hour, and a node
 * writes only so many an hour. What was refused may be told apart by its target; of those only the
 * first few get entries of their own.
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

/** What {@link startRefusals} needs. */
export interface RefusalsOptions {
  sql: Sql;
  log: Logger;
  now: () => Date;
  /** Milliseconds of a clock that never goes back. */
  elapsed?: (() => number) | undefined;
  /** Milliseconds that one entry stands for. */
  windowMs?: number;
}

/** Takes note of refusals. */
export interface Refusals {
  /** Never throws, and does not wait. */
  note(refusal: Refusal): void;
  /** Writes the number of repetitions in all windows that have ended, and waits for every write. */
  flush(): Promise<void>;
  close(): Promise<void>;
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

/** Starts taking notes. */
export function startRefusals(options: RefusalsOptions): Refusals {
  const { sql, log, now, windowMs = WINDOW_MS } = options;
  const elapsed = options.elapsed ?? (() => performance.now());
  const windows = new Map<string, Window>();
  const ofAction = createCounts();
  const ofSubject = createCounts();
  let dropped = 0;
  let writing = Promise.resolve();

  function write(
    { action, actor, subject, requestId, details, target }: Refusal,
    more: Record<string, number | boolean>,
  ): void {
    const texts = target === undefined ? details : { ...details, target };
    const facts = Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [key, bounded(text)]),
    );
    writing = writing.then(async () => {
      try {
        await recordChange(sql, {
          actor: actor ?? ANONYMOUS_ACTOR,
          action,
          subject,
          requestId,
          at: now(),
          details: { ...facts, ...more },
        });
      } catch (error) {
        log.warn("audit.refusal_not_saved", { action, error });
      }
    });
  }

  function end(key: string, { first, repeated }: Window): void {
    windows.delete(key);
    ofAction.add(first.action, -1);
    ofSubject.add(first.subject, -1);
    if (repeated === 0) return;
    const { target: _target, ...whole } = first;
    write(first.target === undefined ? first : { ...whole, details: {} }, { repeated });
  }

  function endOld(all: boolean): void {
    const time = elapsed();
    for (const [key, window] of windows) {
      if (!all && time - window.start < windowMs) break;
      end(key, window);
    }
    if (dropped > 0) log.warn("audit.refusals_dropped", { number: dropped });
    dropped = 0;
  }

  const timer = setInterval(() => endOld(false), FLUSH_MS);
  return {
    note(refusal) {
      const { action, actor, kind = null } = refusal;
      const subject = bounded(refusal.subject);
      const key = JSON.stringify([action, subject, actor, kind]);
      const known = windows.get(key);
      const { target } = refusal;
      if (known !== undefined) {
        known.repeated++;
        if (
          target !== undefined && !known.targets.has(target) && known.targets.size < TARGETS_MAX
        ) {
          known.targets.add(target);
          write({ ...refusal, subject }, { further: true });
        }
        if (elapsed() - known.start >= windowMs) end(key, known);
        return;
      }
      if (ofAction.of(action) >= OF_ACTION_MAX || ofSubject.of(subject) >= OF_SUBJECT_MAX) {
        dropped++;
        return;
      }
      const first = { ...refusal, subject };
      const targets = new Set(target === undefined ? [] : [target]);
      windows.set(key, { first, start: elapsed(), repeated: 0, targets });
      ofAction.add(action, 1);
      ofSubject.add(subject, 1);
      write(first, {});
    },
    async flush() {
      endOld(false);
      await writing;
    },
    async close() {
      clearInterval(timer);
      endOld(true);
      await writing;
    },
  };
}
