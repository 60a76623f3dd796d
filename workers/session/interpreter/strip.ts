/**
 * Takes out of Pyodide's main module what no session uses (setup only). It exports 8,560 functions
 * and variables, so that any library could be linked to it; each costs every interpreter an object
 * in JavaScript, a line of glue that is run, and time. What remains: what the glue itself uses, and
 * what the compiled libraries of `packages.lock` import.
 *
 * A snapshot fits only the stripped module that it was made with: the glue numbers functions in the
 * order in which it meets them.
 *
 * @module
 */
import { HEADER_BYTES, WasmReader } from "./wasm_reader.ts";

/** What is stripped, or came of it. */
export interface Interpreter {
  /** `pyodide.asm.wasm`. */
  module: Uint8Array;
  /** `pyodide.asm.mjs`. */
  glue: string;
}

const EXPORTS = 7;
const ELEMENTS = 9;
const FUNCTION = 0;
/** Of a segment: elements of table 0, at an offset that is a number. */
const PLAIN_SEGMENT = 0;
const I32_CONST = 0x41;
const END = 0x0b;
/** For WebGL, which a session has not; each would become a WebAssembly module of its own. */
const USELESS = "/^emscripten_gl/";

function leb128(value: number): number[] {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

interface Section {
  id: number;
  /** With its id and length. */
  whole: Uint8Array;
  body: Uint8Array;
}

function sectionsOf(module: Uint8Array): Section[] {
  const sections: Section[] = [];
  const reader = new WasmReader(module, HEADER_BYTES);
  while (reader.at < module.length) {
    const start = reader.at;
    const id = reader.byte();
    const body = reader.take(reader.number());
    sections.push({ id, body, whole: module.subarray(start, reader.at) });
  }
  return sections;
}

interface Export {
  name: string;
  kind: number;
  index: number;
}

function exportsOf(body: Uint8Array): Export[] {
  const reader = new WasmReader(body);
  return Array.from({ length: reader.number() }, () => ({
    name: reader.name(),
    kind: reader.byte(),
    index: reader.number(),
  }));
}

function exportSection(exports: readonly Export[]): Uint8Array {
  const encoder = new TextEncoder();
  const body = [...leb128(exports.length)];
  for (const { name, kind, index } of exports) {
    const bytes = encoder.encode(name);
    body.push(...leb128(bytes.length), ...bytes, kind, ...leb128(index));
  }
  return new Uint8Array([EXPORTS, ...leb128(body.length), ...body]);
}

/** Where each function is in the table, by its number: the last place where there are several. */
function placesInTable(body: Uint8Array): Map<number, number> {
  const places = new Map<number, number>();
  const reader = new WasmReader(body);
  for (let left = reader.number(); left > 0; left--) {
    if (reader.number() !== PLAIN_SEGMENT || reader.byte() !== I32_CONST) {
      throw new Error("The interpreter's module has a table of an unknown form");
    }
    // Signed, but no address here is negative or so small that the sign would show.
    const offset = reader.number();
    if (reader.byte() !== END) throw new Error("The interpreter's table has an unknown offset");
    const count = reader.number();
    for (let i = 0; i < count; i++) places.set(reader.number(), offset + i);
  }
  return places;
}

/** `text` with `from`, which must be in it once, replaced. */
function replaced(text: string, from: string, to: string): string {
  const [before, after, ...more] = text.split(from);
  if (after === undefined || more.length > 0) {
    throw new Error(`The interpreter's glue has another form: ${from.slice(0, 60)}`);
  }
  return `${before}${to}${after}`;
}

/** The glue around its function that takes over each export, and the statements of that. */
function splitGlue(glue: string) {
  const head = "function assignWasmExports(wasmExports){";
  const start = glue.indexOf(head) + head.length;
  const end = glue.indexOf("}", start);
  if (start < head.length || end < 0) throw new Error("The interpreter's glue has another form");
  return {
    before: glue.slice(0, start),
    statements: glue.slice(start, end).split(";"),
    after: glue.slice(end),
  };
}

const ASSIGNED = /=wasmExports\["([^"]+)"\]/;
/** The list that declares a variable for each export. */
const DECLARED = /var (?:\w+,){1000,}\w+;/;

/** Names that stand in `texts`, each perhaps that of an export. */
function namesIn(...texts: string[]): Set<string> {
  const names = new Set<string>();
  for (const text of texts) {
    for (const [name] of text.matchAll(/[\w$]+/g)) {
      names.add(name);
      // The glue's variable for an export.
      if (name.startsWith("_")) names.add(name.slice(1));
    }
  }
  return names;
}

/** What the glue does at its start, without the work that only other exports need. */
function quickened(glue: string, places: readonly [string, number][]): string {
  // A session's libraries find what they import when they are linked.
  let text = replaced(glue, "updateGOT(origExports);", "mainExports=origExports;");
  text = replaced(text, "var functionsInTableMap;", "var functionsInTableMap,mainExports;");
  // Looking at each of the table's functions would make an object of it.
  text = replaced(
    text,
    "functionsInTableMap=new WeakMap;updateTableMap(0,wasmTable.length)",
    "functionsInTableMap=new WeakMap;" +
      `for(var[name,at]of ${JSON.stringify(places)})functionsInTableMap.set(mainExports[name],at)`,
  );
  return replaced(
    text,
    "of Object.entries(GOT)){if(entry.value==-1){",
    `of Object.entries(GOT)){if(entry.value==-1){if(${USELESS}.test(symName)){` +
      "entry.value=0;continue}",
  );
}

/** Strips `interpreter`; `loader` is `pyodide.mjs`, `libraries` what is linked to it later. */
export function strip(
  interpreter: Interpreter,
  loader: string,
  libraries: readonly Uint8Array<ArrayBuffer>[],
): Interpreter {
  const { before, statements, after } = splitGlue(interpreter.glue);
  const declared = DECLARED.exec(before);
  if (declared === null) throw new Error("The interpreter's glue has another form");
  const [list] = declared;
  const used = namesIn(before.replace(list, ""), after, loader);
  for (const library of libraries) {
    for (const { name } of WebAssembly.Module.imports(new WebAssembly.Module(library))) {
      used.add(name);
    }
  }
  const sections = sectionsOf(interpreter.module);
  const bodyOf = (id: number) => sections.find((section) => section.id === id)!.body;
  const kept = exportsOf(bodyOf(EXPORTS)).filter(({ name }) => used.has(name));
  const names = new Set(kept.map(({ name }) => name));
  const table = placesInTable(bodyOf(ELEMENTS));
  const places = kept.filter(({ kind, index }) => kind === FUNCTION && table.has(index))
    .map(({ name, index }): [string, number] => [name, table.get(index)!]);

  const left = statements.filter((statement) => names.has(ASSIGNED.exec(statement)?.[1] ?? ""));
  const variables = new Set(left.flatMap((statement) => statement.split("=", 1)));
  const declarations = list.slice("var ".length, -1).split(",").filter((name) =>
    variables.has(name) || used.has(name)
  );
  const glue = before.replace(list, () => `var ${declarations.join(",")};`) + left.join(";") +
    after;
  const pieces = sections.map(({ id, whole }) => id === EXPORTS ? exportSection(kept) : whole);
  return {
    module: joined([interpreter.module.subarray(0, HEADER_BYTES), ...pieces]),
    glue: quickened(glue, places),
  };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
