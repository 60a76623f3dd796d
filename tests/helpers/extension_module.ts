/**
 * Compiled Python modules, as a package for Pyodide's platform has them.
 *
 * @module
 */
import { constant, type Names, type SideModule, sideModule, texts } from "./side_module.ts";

/** A method: it is given its object and one argument, and gives a new object. */
export interface Method {
  locals?: number;
  body: (at: Names) => number[];
}

/** Puts the argument of a method on the stack. */
export const ARGUMENT = [0x20, 1];

/** Stores a number at an address. */
export function stored(address: readonly number[], value: readonly number[]): number[] {
  return [...address, ...value, 0x36, 2, 0];
}

/** The number at an address. */
export function loaded(address: readonly number[]): number[] {
  return [...address, 0x28, 2, 0];
}

const DEFINITION_BYTES = 52;
const METHOD_BYTES = 16;
/** Where things stand in Python's structures. */
const NAME = 20;
const SIZE = 28;
const METHODS = 32;
const FUNCTION = 4;
const FLAGS = 8;
const ONE_ARGUMENT = 8;
const API_VERSION = 1013;

/** An extension module of these methods; `more` is as in {@link sideModule}. `begin`: runs first. */
export function extensionModule(
  name: string,
  methods: Record<string, Method>,
  { begin = () => [], ...more }:
    & Omit<SideModule, "functions" | "table">
    & Partial<Pick<SideModule, "functions">>
    & { begin?: Method["body"] } = {},
): Uint8Array<ArrayBuffer> {
  const own = Object.keys(methods);
  const strings = texts(name, ...own);
  const before = more.data ?? [];
  const padding = (4 - (before.length % 4)) % 4;
  const definition = before.length + padding;
  const list = definition + DEFINITION_BYTES;
  const namesAt = list + (own.length + 1) * METHOD_BYTES;
  const data = [...before, ...new Array(namesAt - before.length).fill(0), ...strings.bytes];
  const start = (at: Names) => [
    ...begin(at),
    ...stored(at.data(definition), constant(1)),
    ...stored(at.data(definition + NAME), at.data(namesAt)),
    ...stored(at.data(definition + SIZE), constant(-1)),
    ...stored(at.data(definition + METHODS), at.data(list)),
    ...own.flatMap((method, i) => {
      const entry = list + i * METHOD_BYTES;
      return [
        ...stored(at.data(entry), at.data(namesAt + strings.at[i + 1]!)),
        ...stored(at.data(entry + FUNCTION), at.own(method)),
        ...stored(at.data(entry + FLAGS), constant(ONE_ARGUMENT)),
      ];
    }),
    ...at.data(definition),
    ...constant(API_VERSION),
    ...at.call("PyModule_Create2"),
  ];
  return sideModule({
    ...more,
    calls: { ...more.calls, PyModule_Create2: [2, 1] },
    data,
    table: own,
    functions: {
      ...more.functions,
      ...Object.fromEntries(
        Object.entries(methods).map((
          [key, method],
        ) => [key, { ...method, shape: [2, 1] as const }]),
      ),
      [`PyInit_${name}`]: { shape: [0, 1], body: start },
    },
  });
}
