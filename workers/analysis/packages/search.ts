/**
 * The search for versions that go together: depth first, the preferred version of each package
 * first. Where a package cannot be had, it goes back to the choice that asked for it, past all that
 * have nothing to do with it.
 *
 * @module
 */
import type { Candidate, Need } from "./types.ts";

/** Stands for a package of which nothing is known yet: it goes with everything. */
export const UNKNOWN: Candidate = {
  version: "0",
  file: "",
  origin: "installation",
  url: null,
  sha256: null,
  size: null,
  part: false,
  yanked: false,
  withdrawn: null,
  uploaded: null,
  metadata: null,
  requires: [],
};

/** What is known of packages while a search runs. */
export interface Universe {
  /**
   * Versions of a package that these needs allow, the preferred one first. What has to be fetched to
   * know more is noted only when the next one is asked for.
   */
  candidates(name: string, needs: readonly Need[]): Iterable<Candidate>;
  /** What a version requires when it is asked for with these extras. */
  needs(name: string, candidate: Candidate, extras: readonly string[]): readonly Need[];
  /** What stands in the way of a need, whatever else is chosen; null when nothing does. */
  obstacleTo(need: Need): Need | null;
  /** Whether it is there anyway, or is done without. */
  isSettled(name: string): boolean;
  /** Whether a version is kept to, whatever stands in the way of what it requires. */
  keepsTo(name: string, candidate: Candidate, obstacle: Need): boolean;
  /** Whether a version is one that a need allows. */
  fits(need: Need, candidate: Candidate): boolean;
  /** Whether a need must be met: else any version will do, as what was asked for cannot be had. */
  binds(need: Need): boolean;
}

/** A choice, and the extras that it was made with. */
export interface Pin {
  candidate: Candidate;
  extras: readonly string[];
}

type Pins = ReadonlyMap<string, Pin>;
type Outcome =
  | { ok: true; pins: Pins }
  | { ok: false; conflict: Set<string>; dead: Need };

/** Thrown when a search has taken as many steps as it may. */
export class SearchTooLong extends Error {
  /** What stood in the way most often; null when nothing did. */
  readonly worst: Need | null;

  constructor(worst: Need | null = null) {
    super("the search took too long");
    this.worst = worst;
  }
}

/** Packages of one server. */
export const MAX_PACKAGES = 200;
/** Needs that wait at once. */
const MAX_OPEN = 20_000;

/** Steps that are left, for one search after the other. */
export interface Budget {
  steps: number;
}

/** The first result of `work` that is not null. */
function first<T, R>(items: readonly T[], work: (item: T) => R | null): R | null {
  for (const item of items) {
    const result = work(item);
    if (result !== null) return result;
  }
  return null;
}

class Search {
  readonly #universe: Universe;
  readonly #budget: Budget;
  /** By package: how often it stood in the way, and what was asked of it last. */
  readonly #failures = new Map<string, { count: number; need: Need }>();

  constructor(universe: Universe, budget: Budget) {
    this.#universe = universe;
    this.#budget = budget;
  }

  #step(): void {
    if (--this.#budget.steps < 0) throw this.#tooLong();
  }

  #tooLong(): SearchTooLong {
    const [worst] = [...this.#failures.values()].sort((a, b) => b.count - a.count);
    return new SearchTooLong(worst?.need ?? null);
  }

  /** Notes what stands in the way of a choice. */
  #failed(need: Need): void {
    const { count = 0 } = this.#failures.get(need.name) ?? {};
    this.#failures.set(need.name, { count: count + 1, need });
  }

  /** Settles the needs of packages that have a version; stops at the first that has none. */
  #settle(open: readonly Need[], given: Pins): Outcome | { next: Need[]; pins: Pins } {
    let queue = [...open];
    let pins = given;
    for (let at = 0; at < queue.length; at++) {
      this.#step();
      const need = queue[at]!;
      const { name } = need;
      if (this.#universe.isSettled(name)) continue;
      const pin = pins.get(name);
      if (pin === undefined) {
        queue = queue.slice(at);
        if (queue.length > MAX_OPEN) throw this.#tooLong();
        return { next: queue, pins };
      }
      const any = pin.candidate === UNKNOWN || !this.#universe.binds(need);
      if (!any && !this.#universe.fits(need, pin.candidate)) {
        this.#failed(need);
        return { ok: false, conflict: new Set([need.by, name]), dead: need };
      }
      const more = need.extras.filter((extra) => !pin.extras.includes(extra));
      if (more.length === 0) continue;
      const extras = [...pin.extras, ...more];
      pins = new Map(pins).set(name, { ...pin, extras });
      queue.push(...this.#universe.needs(name, pin.candidate, extras));
    }
    return { ok: true, pins };
  }

  place(open: readonly Need[], given: Pins): Outcome {
    const settled = this.#settle(open, given);
    if (!("next" in settled)) return settled;
    const { next, pins } = settled;
    const need = next[0]!;
    const { name } = need;
    const own = next.filter((each) => each.name === name);
    const rest = next.filter((each) => each.name !== name);
    const conflict = new Set(own.map(({ by }) => by));
    if (pins.size >= MAX_PACKAGES) throw this.#tooLong();
    const extras = [...new Set(own.flatMap((each) => each.extras))];
    const telling = own.filter(({ specs }) => specs.some((spec) => spec !== ""));
    let dead = telling.find((each) => this.#universe.binds(each)) ?? telling[0] ?? need;
    let isFirst = true;
    for (const candidate of this.#universe.candidates(name, own)) {
      this.#step();
      const needs = this.#universe.needs(name, candidate, extras);
      const obstacle = first(needs, (each) => this.#universe.obstacleTo(each));
      if (obstacle !== null) {
        this.#failed(obstacle);
        const isKept = this.#universe.keepsTo(name, candidate, obstacle);
        if (isFirst || isKept) dead = obstacle;
        isFirst = false;
        if (isKept) break;
        continue;
      }
      const outcome = this.place(
        [...rest, ...needs],
        new Map(pins).set(name, { candidate, extras }),
      );
      if (outcome.ok || !outcome.conflict.has(name)) return outcome;
      for (const other of outcome.conflict) if (other !== name) conflict.add(other);
      if (isFirst) dead = outcome.dead;
      isFirst = false;
    }
    // Nothing of it could even be tried.
    if (isFirst) this.#failed(dead);
    return { ok: false, conflict, dead };
  }
}

/**
 * Versions for `roots` and all that they require, or what stands in the way.
 *
 * @throws {SearchTooLong} When no steps are left, so that nothing searches for ever.
 */
export function search(roots: readonly Need[], universe: Universe, budget: Budget): Outcome {
  return new Search(universe, budget).place(roots, new Map());
}
