/**
 * Counting many requests at once: those that come while a statement is under way are counted by the
 * next one, together. Exact all the same: each is counted by a statement that begins after it came.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { User } from "../names/users.ts";
import type { Taken, WindowDeps } from "./window.ts";

/** A request that is to be counted. */
export interface Hit {
  /** Whose window: all hits of one key have the same `max` and `subject`. */
  key: string;
  max: number;
  /** The user whose row is wanted too. */
  subject: string | null;
}

/** Whether a request is within its limits, and what else its statement read. */
export interface CountedHit {
  taken: Taken;
  /** Null when there is none yet, or none was asked for. */
  user: User | null;
  /**
   * What the registry shows at present, as a mark that changes with it; null where none is kept.
   * Whatever was stored before the request came has led to this mark or to one before it.
   */
  mark: string | null;
}

/** Windows that one statement may hold. */
const WINDOWS = 64;
/** Turns of the event loop in which as many requests as were just answered may come again. */
const TURNS = 8;

interface Row {
  nth: number;
  allowed: number;
  remaining: number;
  wait_ms: number;
  username: string | null;
  isAdmin: boolean;
  mark: string | null;
}

interface Waiting {
  hit: Hit;
  answers: PromiseWithResolvers<CountedHit>[];
}

function windowKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Answers the hits of one window: the first ones are let through. */
function answer({ hit: { subject }, answers }: Waiting, row: Row): void {
  const { username, isAdmin, mark, allowed } = row;
  const user = username === null || subject === null ? null : { subject, username, isAdmin };
  for (const [index, { resolve }] of answers.entries()) {
    const remaining = row.remaining + Math.max(allowed - index - 1, 0);
    resolve({ taken: { allowed: index < allowed, remaining, waitMs: row.wait_ms }, user, mark });
  }
}

/** A counter of hits of windows that are `seconds` long. */
export function gatherHits(deps: WindowDeps, seconds: number): (hit: Hit) => Promise<CountedHit> {
  const waiting = new Map<string, Waiting>();
  /** Hits that wait. */
  let open = 0;
  let isCounting = false;

  async function ask(batch: Waiting[]): Promise<Row[]> {
    const hits = batch.map(({ hit }) => hit);
    return await deps.sql<Row[]>`
      select taken.*, username, is_admin as "isAdmin", mark
      from take_hits(${hits.map(({ key }) => windowKey(key))}::text[],
        ${batch.map(({ answers }) => answers.length)}::int[], ${hits.map(({ max }) => max)}::int[],
        ${seconds}, ${deps.now?.() ?? null}) as taken
      left join catalogue on true
      left join users on subject = (${hits.map(({ subject }) => subject ?? "")}::text[])[nth]`;
  }

  async function countNext(): Promise<void> {
    const batch = [...waiting.values()].slice(0, WINDOWS);
    const counted = batch.reduce((sum, { answers }) => sum + answers.length, 0);
    for (const { hit } of batch) waiting.delete(hit.key);
    open -= counted;
    isCounting = true;
    try {
      for (const row of await ask(batch)) answer(batch[row.nth - 1]!, row);
    } catch (error) {
      for (const { answers } of batch) answers.forEach(({ reject }) => reject(error));
    }
    // Those who are answered may ask again, and who sent a request meanwhile is still to be read: a
    // statement takes as long for one as for all of them.
    for (let turn = 0; turn === 0 || turn < TURNS && open < counted; turn++) await turnOfTheLoop();
    isCounting = false;
    if (waiting.size > 0) void countNext();
  }

  return (hit) => {
    const answer = Promise.withResolvers<CountedHit>();
    open++;
    const others = waiting.get(hit.key);
    if (others === undefined) waiting.set(hit.key, { hit, answers: [answer] });
    else others.answers.push(answer);
    if (!isCounting) void countNext();
    return answer.promise;
  };
}
