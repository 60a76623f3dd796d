import { assert, assertEquals } from "@std/assert";
import { following, initial, numberOf, RULES, type Rules, serves, type State } from "./model.ts";

interface Walk {
  states: number;
  /** The first state in which two serve. */
  fault: State | null;
  /** Whether one served while another still ran what it had lost. */
  wasHandedOver: boolean;
}

/** Walks through all states that there can be, or until two serve. */
function walk(rules: Rules): Walk {
  // The list grows while it is walked through.
  const states: State[] = [initial(rules)];
  const known = new Set(states.map(numberOf));
  let wasHandedOver = false;
  for (let at = 0; at < states.length; at++) {
    for (const state of following(states[at]!, rules)) {
      const number = numberOf(state);
      if (known.has(number)) continue;
      known.add(number);
      states.push(state);
      const serving = state.runs.filter((run) => serves(run, rules)).length;
      if (serving > 1) return { states: known.size, fault: state, wasHandedOver };
      wasHandedOver ||= serving === 1 && state.runs.some(({ live, owns }) => live && !owns);
    }
  }
  return { states: known.size, fault: null, wasHandedOver };
}

Deno.test("of three nodes never two serve one session, in whatever order things happen", () => {
  const { fault, states, wasHandedOver } = walk(RULES);
  assertEquals(fault, null);
  assert(states > 10_000, String(states));
  assert(wasHandedOver);
});

const WITHOUT: Record<string, Partial<Rules>> = {
  "a holder that gives up later than others take over": { own: 2, lease: 1 },
  "a lease that counts from its answer": { agesFromSending: false },
  "a machine that slept and does not ask": { asksAfterSleep: false },
  "taking without comparing": { comparesInstance: false },
  "serving without looking at the clock": { checksBeforeServing: false },
};

for (const [what, change] of Object.entries(WITHOUT)) {
  Deno.test(`the model of leases finds the fault of ${what}`, () => {
    const { fault } = walk({ ...RULES, nodes: 2, ...change });
    assert(fault !== null);
  });
}
