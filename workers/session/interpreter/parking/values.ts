/**
 * The JavaScript values that Python holds: which of them another worker has too, and how they are
 * named in a parked session. A session that holds any other stays where it is.
 *
 * @module
 */
import type { EmscriptenModule } from "../libraries.ts";
import { Stays } from "./stays.ts";

/** What a snapshot says of a value that Python held: its path from the global scope. */
interface Path {
  path: string[];
}
/** How a parked session names a value. */
type Name = { bridge: string } | Path | { settles: true } | { nothing: true };

/** The table of values as Pyodide's restore takes it. */
interface Table {
  hiwireKeys: (Path | { serialized: Name } | null)[];
  immortalKeys: string[];
}

/** Functions that Python was given and what else it gets, by names that each worker has. */
export type Bridge = Readonly<Record<string, unknown>>;

/** Names the JavaScript values that Python holds, and finds them by their names. */
export interface Values {
  /** Gives the value of a name; throws when this worker has none. */
  read(name: unknown): unknown;
  /** Begins to watch an interpreter in which no Python has run since `restored` was. */
  watch(module: EmscriptenModule, restored: unknown): void;
  /**
   * What Python holds now. `waiting`: programs that wait on a stack of their own in this worker.
   *
   * @throws {Stays} When Python holds a value that no other worker has.
   */
  table(waiting: number): Table;
}

/** Values that Pyodide itself puts at the front of the table, in each interpreter. */
const EXPECTED = 7;
/** The one of them that is the global scope. */
const GLOBAL = 1;
/** Functions that Python holds for each program that waits: they settle the promise of its wait. */
const SETTLING = 2;

/** The values of an interpreter that is about to boot. */
export function createValues(bridge: Bridge, scope: object): Values {
  const names = new Map<unknown, Name>();
  let module: EmscriptenModule | null = null;

  /** Texts that Python's C side keeps for good. */
  function immortal(): string[] {
    const texts: string[] = [];
    for (let index = EXPECTED;; index++) {
      try {
        texts.push(module!.__hiwire_immortal_get(index) as string);
      } catch {
        return texts;
      }
    }
  }

  /** All slots to the end of the table, beyond which reading throws; null: it is free. */
  function all(): unknown[] {
    const values: unknown[] = [];
    for (let index = EXPECTED;; index++) {
      try {
        values.push(module!.__hiwire_get(index));
      } catch {
        return values;
      }
    }
  }

  return {
    read(name) {
      const { bridge: key, path, settles, nothing } = name as Partial<Record<string, unknown>>;
      if (nothing === true) return undefined;
      if (settles === true) {
        // What it would settle is in another worker.
        const settle = () => {};
        names.set(settle, { settles });
        return settle;
      }
      if (typeof key === "string" && Object.hasOwn(bridge, key)) return bridge[key];
      if (!Array.isArray(path)) throw new TypeError("A value that this worker does not have");
      return path.reduce((value, part) => value[part], scope);
    },
    watch(watched, restored) {
      module = watched;
      for (const [name, value] of Object.entries(bridge)) names.set(value, { bridge: name });
      names.set(undefined, { nothing: true }).set(module.__hiwire_get(GLOBAL), { path: [] });
      const { hiwireKeys = [] } = (restored ?? {}) as Partial<Table>;
      hiwireKeys.forEach((entry, i) => {
        if (entry !== null && "path" in entry) names.set(watched.__hiwire_get(EXPECTED + i), entry);
      });
    },
    table(waiting) {
      let settling = SETTLING * waiting;
      function nameOf(value: unknown): Name {
        const name = names.get(value);
        if (name !== undefined) return name;
        // They cannot be told from other functions: only their number says that there are no others.
        if (typeof value !== "function" || settling-- === 0) throw new Stays("javascript");
        return { settles: true };
      }
      const hiwireKeys = all()
        .map((value) => value === null ? null : { serialized: nameOf(value) });
      if (settling !== 0) throw new Stays("javascript");
      return { hiwireKeys, immortalKeys: immortal() };
    },
  };
}
