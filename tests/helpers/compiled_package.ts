/**
 * A package with compiled modules that use what a loader has to provide: functions and variables that
 * sessions' interpreters do not export, exceptions, a library of its own, symbols that may be missing.
 *
 * @module
 */
import { ARGUMENT, extensionModule, loaded, type Method, stored } from "./extension_module.ts";
import type { TestPackage } from "./package_index.ts";
import { constant, sideModule, texts } from "./side_module.ts";

export const PYODIDE_TAG = "cp314-cp314-pyemscripten_2026_0_wasm32";
const ENDING = ".cpython-314-wasm32-emscripten.so";
const MESSAGE = texts("refused by compiled code");
const COUNT = MESSAGE.bytes.length + 3 & ~3;
const DATA = [...MESSAGE.bytes, ...new Array(COUNT + 4 - MESSAGE.bytes.length).fill(0)];

/** A method that gives a number. */
function numbered(body: Method["body"], locals = 0): Method {
  return { locals, body: (at) => [...body(at), ...at.call("PyLong_FromLong")] };
}

const addresses: Record<string, Method> = {
  // The interpreter has it in its table of functions already.
  place_in_table: numbered((at) => at.addressOf("PyObject_HashNotImplemented")),
  place_of_lent: numbered((at) => at.addressOf("PyList_Reverse")),
};
const ADDRESSES = ["PyObject_HashNotImplemented", "PyList_Reverse"];

const first = extensionModule("first", {
  ...addresses,
  lines: {
    body: (at) => [...ARGUMENT, ...constant(0), ...at.call("PyUnicode_Splitlines")],
  },
  refuse: {
    body: (at) => [
      ...loaded(at.addressOf("PyExc_BlockingIOError")),
      ...at.data(0),
      ...at.call("PyErr_SetString"),
      ...constant(0),
    ],
  },
  count: numbered((at) => [
    ...stored(at.data(COUNT), [...loaded(at.data(COUNT)), ...constant(1), 0x6a]),
    ...loaded(at.data(COUNT)),
  ]),
  // try, throw, catch, end: the block gives a number.
  caught: numbered((at) => [
    ...[0x06, 0x7f, ...constant(7), ...at.throwing("__cpp_exception"), 0x07, 0, 0x0b],
  ]),
  missing: numbered((at) => at.addressOf("never_there")),
}, {
  calls: {
    PyLong_FromLong: [1, 1],
    PyUnicode_Splitlines: [2, 1],
    PyErr_SetString: [2, 0],
  },
  functionAddresses: [...ADDRESSES, "never_there"],
  variableAddresses: ["PyExc_BlockingIOError"],
  tags: ["__cpp_exception"],
  weak: ["never_there"],
  data: DATA,
});

const second = extensionModule("second", addresses, {
  calls: { PyLong_FromLong: [1, 1] },
  functionAddresses: ADDRESSES,
});

/** The package `compiled`, of two modules. */
export const COMPILED: TestPackage = {
  name: "compiled",
  version: "1.0",
  tag: PYODIDE_TAG,
  files: {
    "compiled/__init__.py": "",
    [`compiled/first${ENDING}`]: first,
    [`compiled/second${ENDING}`]: second,
  },
};

/** The package `seeded`, whose module draws a number when it is imported, as generators in C do. */
export const SEEDED: TestPackage = {
  name: "seeded",
  version: "1.0",
  tag: PYODIDE_TAG,
  files: {
    [`seeded${ENDING}`]: extensionModule("seeded", {
      seed: numbered((at) => loaded(at.data(0))),
    }, {
      calls: { PyLong_FromLong: [1, 1], getentropy: [2, 1] },
      data: [0, 0, 0, 0],
      begin: (at) => [...at.data(0), ...constant(4), ...at.call("getentropy"), 0x1a],
    }),
  },
};

/** The package `linked`, whose module needs a library that it brings, unless it does `without`. */
export function linkedPackage({ without = false } = {}): TestPackage {
  const library = sideModule({
    functions: { base_number: { shape: [0, 1], body: () => constant(41) } },
  });
  const third = extensionModule("third", { base: numbered((at) => at.call("base_number")) }, {
    calls: { PyLong_FromLong: [1, 1], base_number: [0, 1] },
    needed: ["libbase.so"],
    paths: ["$ORIGIN/../linked.libs"],
  });
  return {
    name: "linked",
    version: "1.0",
    tag: PYODIDE_TAG,
    files: {
      "linked/__init__.py": "",
      [`linked/third${ENDING}`]: third,
      ...(without ? {} : { "linked.libs/libbase.so": library }),
    },
  };
}
