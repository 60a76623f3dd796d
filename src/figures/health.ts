/**
 * Whether the parts that a node depends on work, by what came of the last time each was used: nothing
 * is asked only to find out.
 *
 * @module
 */

/** What a node depends on. */
export const PARTS = [
  "code_host",
  "advisories",
  "package_index",
  "mail",
  "session_walls",
  "analysis_walls",
] as const;
export type HealthPart = (typeof PARTS)[number];

/**
 * How a part does. `unused`: not since the start. `off`: the configuration has none. `weak`: it works,
 * with less than it should have.
 */
export interface PartHealth {
  state: "works" | "fails" | "weak" | "unused" | "off";
  /** When it was last used; null where it was not, or where that means nothing. */
  at: Date | null;
  /** What it said, in a few words of Berth's own. */
  detail: string;
}

/** The parts of this node as they do now. */
export interface Health {
  read(): ReadonlyMap<HealthPart, PartHealth>;
  /** Takes note of how a part does. */
  note(part: HealthPart, health: Omit<PartHealth, "at">): void;
  /** `fetch`, whose answers tell how `part` does. */
  watch(part: HealthPart, fetch: Fetch): Fetch;
}

type Fetch = typeof globalThis.fetch;

/** Too many requests, and refusals of what this node says it is. */
const REFUSED = [401, 403, 407, 429];

function isOwnEnd(signal: AbortSignal | null | undefined): boolean {
  return signal?.aborted === true &&
    !(signal.reason instanceof DOMException && signal.reason.name === "TimeoutError");
}

/** Nothing was used yet. */
export function createHealth(now: () => Date): Health {
  const parts = new Map<HealthPart, PartHealth>(
    PARTS.map((part) => [part, { state: "unused", at: null, detail: "Not used since the start" }]),
  );
  const note: Health["note"] = (part, health) => {
    parts.set(part, { ...health, at: now() });
  };
  return {
    read: () => parts,
    note,
    watch: (part, fetch) => async (input, init) => {
      try {
        const response = await fetch(input, init);
        const { status } = response;
        const fails = status >= 500 || REFUSED.includes(status);
        note(part, { state: fails ? "fails" : "works", detail: `It answered with ${status}` });
        return response;
      } catch (error) {
        if (!isOwnEnd(init?.signal)) note(part, { state: "fails", detail: "It did not answer" });
        throw error;
      }
    },
  };
}

/** How walls do of which some may be missing. */
export function wallsHealth(missing: readonly { wall: string }[]): Omit<PartHealth, "at"> {
  return missing.length === 0
    ? { state: "works", detail: "All walls stand" }
    : { state: "weak", detail: `Missing: ${missing.map(({ wall }) => wall).join(", ")}` };
}
