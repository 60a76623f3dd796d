/**
 * Compares the answers of a server on CPython with those of the same server on Berth.
 *
 * @module
 */
import { canonical, type Deliberate } from "../../execution/differential/replay.ts";
import type { Message } from "./process.ts";

/** One request and how it was answered. */
export interface Answered {
  request: string;
  answer: Message | null;
}

/** Answers that differ. */
export interface Different {
  request: string;
  cpython: string;
  berth: string;
}

/** What came of comparing one server. */
export interface Compared {
  equal: number;
  /** Those that differ from one run to the next on CPython too, and are equal apart from that. */
  equalInKind: number;
  /** By reason. */
  explained: Record<string, number>;
  different: Different[];
}

const ADDRESS = /0x[0-9a-f]{6,}/g;
const VARIES = /[0-9]+(\.[0-9]+)?|[0-9a-f]{8,}/g;

/** An answer as text, without what is the installation's own. */
function textOf(answer: Message | null, root: string): string {
  if (answer === null) return "no answer";
  const { error, result } = answer;
  const text = canonical(error === undefined ? { result } : { error });
  return text.replaceAll(root, "/app").replaceAll(ADDRESS, "0x0");
}

/** The kinds of values in an answer, without the values. */
function kindOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [kindOf(value[0])];
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, kindOf(each)]));
}

function inKind(text: string): string {
  return text === "no answer" ? text : canonical(kindOf(JSON.parse(text)));
}

/**
 * Compares answers to the same requests: two runs on CPython, which tell what varies by itself, and one
 * on Berth. `root` is where the project lay on CPython.
 */
export function compare(
  runs: { first: Answered[]; second: Answered[]; berth: Answered[]; root: [string, string] },
  known: Deliberate[],
): Compared {
  const found: Compared = { equal: 0, equalInKind: 0, explained: {}, different: [] };
  for (const [i, { request, answer }] of runs.first.entries()) {
    const first = textOf(answer, runs.root[0]);
    const second = textOf(runs.second[i]?.answer ?? null, runs.root[1]);
    const berth = textOf(runs.berth[i]?.answer ?? null, "/app");
    if (first === berth) {
      found.equal++;
      continue;
    }
    const numbersOnly = (text: string) => text.replaceAll(VARIES, "#");
    const varies = first !== second;
    const same = numbersOnly(first) === numbersOnly(berth) || inKind(first) === inKind(berth);
    if (varies && same) {
      found.equalInKind++;
      continue;
    }
    const rule = known.find((each) =>
      new RegExp(each.sdk, "s").test(first) && new RegExp(each.berth, "s").test(berth)
    );
    if (rule === undefined) found.different.push({ request, cpython: first, berth });
    else found.explained[rule.reason] = (found.explained[rule.reason] ?? 0) + 1;
  }
  return found;
}
