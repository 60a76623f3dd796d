/**
 * The protocol of leases (`docs/decisions/0041-nodes-and-their-sessions.md`) as a machine of states: three
 * runs of nodes, one session, a database, and all that may happen between them in any order. Messages
 * take as long as they like, or are lost. A run takes its steps whenever it likes, or never: so one
 * that is stopped for a while, ends or is cut off is among those that are tried. Machines may sleep.
 *
 * A run is removed by whoever has seen its beat for long enough. Here anybody has seen each beat at
 * once: every time at which a node may remove another is a time at which that may happen here. Who is told
 * of something is told at once, which gives it the most time to use that.
 *
 * @module
 */

/** The protocol, and what there is of it. */
export interface Rules {
  nodes: number;
  /** How often a machine may fall asleep, all in all. */
  sleeps: number;
  /** Time that a holder gives itself, and that others wait, in ticks of clocks that run alike. */
  own: number;
  lease: number;
  /** Each may be left out, to see that the model misses it. */
  agesFromSending: boolean;
  asksAfterSleep: boolean;
  comparesInstance: boolean;
  checksBeforeServing: boolean;
}

export const RULES: Rules = {
  nodes: 3,
  sleeps: 1,
  own: 1,
  lease: 2,
  agesFromSending: true,
  asksAfterSleep: true,
  comparesInstance: true,
  checksBeforeServing: true,
};

const NONE = 0;
/** A renewal, or a request to take the session that it saw to be free, is in the network. */
const SENT = 1;
/** The database has renewed the lease, and the run does not know yet. */
const DONE = 2;

/** A run of a node. */
export interface Run {
  isAsleep: boolean;
  /** Whether it has given up, and has not joined again. */
  lapsed: boolean;
  /** Ticks since it sent its last renewal that worked. */
  age: number;
  /** Whether it slept since then. */
  slept: boolean;
  renewal: typeof NONE | typeof SENT | typeof DONE;
  renewalAge: number;
  renewalSlept: boolean;
  taking: typeof NONE | typeof SENT;
  /** Whether the session runs here. */
  live: boolean;
  /** Whether what runs is what the database has. */
  isCurrent: boolean;
  /** Whether its row is there. */
  row: boolean;
  /** Whether the database says that it has the session. */
  owns: boolean;
  /** Ticks since its beat has changed. */
  unchanged: number;
}

/** All that there is at one moment. */
export interface State {
  runs: readonly Run[];
  sleeps: number;
}

const NO_RENEWAL = { renewal: NONE, renewalAge: 0, renewalSlept: false } as const;
const GIVEN_UP = {
  ...NO_RENEWAL,
  lapsed: true,
  age: 0,
  slept: false,
  live: false,
  isCurrent: false,
  taking: NONE,
} as const;
const REMOVED = { row: false, owns: false, unchanged: 0 } as const;
const FRESH: Run = {
  ...GIVEN_UP,
  lapsed: false,
  isAsleep: false,
  row: true,
  owns: false,
  unchanged: 0,
};

/** Nodes that have just joined, and a session that nobody has. */
export function initial({ nodes }: Rules): State {
  return { runs: Array.from({ length: nodes }, () => FRESH), sleeps: 0 };
}

/** Whether a run may answer a request for the session. */
export function serves(run: Run, rules: Rules): boolean {
  if (run.isAsleep || !run.live) return false;
  if (!rules.checksBeforeServing) return true;
  return run.age < rules.own && (!run.slept || !rules.asksAfterSleep);
}

/** What becomes of one run, and of all others. */
type Change = readonly [own: Partial<Run>, others?: (run: Run) => Partial<Run>];

/** The renewal has reached the database. */
function renewed(run: Run, rules: Rules): Partial<Run> {
  if (!run.row) return GIVEN_UP;
  if (!rules.agesFromSending) return { renewal: DONE, unchanged: 0 };
  return { ...NO_RENEWAL, age: run.renewalAge, slept: run.renewalSlept, unchanged: 0 };
}

/** The wish to take the session has reached the database. */
function taken(run: Run, rules: Rules): Change {
  if (!run.row) return [{ taking: NONE }];
  return [
    { taking: NONE, live: true, isCurrent: true, owns: true },
    ({ taking }) => ({
      // It is another session now than the one that they saw.
      taking: rules.comparesInstance ? NONE : taking,
      isCurrent: false,
      owns: false,
    }),
  ];
}

/** What may happen to a run or be done by it; `isFree`: nobody has the session. */
function changesOf(run: Run, rules: Rules, isFree: boolean): Change[] {
  const changes: Change[] = [];
  if (run.row && run.unchanged >= rules.lease) changes.push([REMOVED]);
  if (run.renewal === SENT) changes.push([renewed(run, rules)]);
  if (run.taking === SENT) changes.push(taken(run, rules));
  if (run.isAsleep) return [...changes, [{ isAsleep: false }]];
  if (run.lapsed) return [...changes, [{ ...REMOVED, lapsed: false, row: true }]];
  if (run.age >= rules.own) changes.push([GIVEN_UP]);
  if (run.renewal === NONE) changes.push([{ renewal: SENT }]);
  if (run.renewal === DONE) changes.push([{ ...NO_RENEWAL, age: 0, slept: run.renewalSlept }]);
  if (run.taking === NONE && !run.live && isFree) changes.push([{ taking: SENT }]);
  // It stores what it has, which anybody may go on with.
  const stored = run.isCurrent ? { owns: false } : {};
  if (run.live) changes.push([{ live: false, isCurrent: false, ...stored }]);
  return changes;
}

/** Time goes on; for who sleeps only the time of day. */
function later(run: Run, rules: Rules): Run {
  const unchanged = run.row ? Math.min(rules.lease, run.unchanged + 1) : 0;
  if (run.lapsed) return { ...run, unchanged };
  if (run.isAsleep) return { ...run, unchanged, slept: true, renewalSlept: run.renewal !== NONE };
  const age = Math.min(rules.own, run.age + 1);
  const renewalAge = run.renewal === NONE ? 0 : Math.min(rules.own, run.renewalAge + 1);
  return { ...run, unchanged, age, renewalAge };
}

/** All states that may come next. */
export function following(state: State, rules: Rules): State[] {
  const { runs, sleeps } = state;
  const isFree = !runs.some(({ owns }) => owns);
  const states: State[] = [{ runs: runs.map((run) => later(run, rules)), sleeps }];
  runs.forEach((run, at) => {
    for (const [own, others] of changesOf(run, rules, isFree)) {
      const next = runs.map((other, i) => {
        if (i === at) return { ...run, ...own };
        return others === undefined ? other : { ...other, ...others(other) };
      });
      states.push({ runs: next, sleeps });
    }
    if (!run.isAsleep && sleeps < rules.sleeps) {
      states.push({ runs: runs.with(at, { ...run, isAsleep: true }), sleeps: sleeps + 1 });
    }
  });
  return states;
}

/** All of a run in one number below 2^16. */
function codeOf(run: Run): number {
  const flags = [run.isAsleep, run.lapsed, run.slept, run.renewalSlept, run.live, run.isCurrent]
    .concat(run.row, run.owns, run.taking === SENT);
  let code = 0;
  for (const flag of flags) code = 2 * code + (flag ? 1 : 0);
  return ((code * 3 + run.age) * 3 + run.renewal) * 12 + 4 * run.renewalAge + run.unchanged;
}

/** The state as a number; the same whichever node is which. */
export function numberOf({ runs, sleeps }: State): number {
  const codes = runs.map(codeOf).sort((a, b) => a - b);
  return codes.reduce((sum, code) => sum * 2 ** 16 + code, 0) * 4 + sleeps;
}
