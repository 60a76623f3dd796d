/**
 * Compiled modules for the interpreter, written byte by byte: what a compiler makes of a few lines of C
 * for Pyodide's platform.
 *
 * @module
 */

const encoder = new TextEncoder();

/** Value types, instructions and kinds, as WebAssembly numbers them. */
export const I32 = 0x7f;
const END = 0x0b;
const KINDS = { function: 0, global: 3, tag: 4 } as const;
const FUNCREF = 0x70;
const MUTABLE = 1;
const WEAK = 1;

/** An unsigned number. */
export function number(value: number): number[] {
  const bytes = [];
  for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

/** Puts a signed number on the stack. */
export function constant(value: number): number[] {
  const bytes = [];
  for (;;) {
    const byte = value & 0x7f;
    value >>= 7;
    if (value === 0 && (byte & 0x40) === 0 || value === -1 && (byte & 0x40) !== 0) {
      return [0x41, ...bytes, byte];
    }
    bytes.push(byte | 0x80);
  }
}

function text(value: string): number[] {
  const bytes = encoder.encode(value);
  return [...number(bytes.length), ...bytes];
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...number(items.length), ...items.flat()];
}

function section(id: number, body: readonly number[]): number[] {
  return [id, ...number(body.length), ...body];
}

/** How many numbers a function takes and gives. */
export type Shape = readonly [takes: number, gives: number];

/** A module to be made. All values are 32-bit numbers. */
export interface SideModule {
  /** Functions of the interpreter or of other libraries that it calls, by name. */
  calls?: Record<string, Shape>;
  /** Functions and variables of which it takes the address. */
  functionAddresses?: string[];
  variableAddresses?: string[];
  /** Exceptions that it throws. */
  tags?: string[];
  /** Of what it imports: what may be missing. */
  weak?: string[];
  /** Libraries that are linked first, and where they are. */
  needed?: string[];
  paths?: string[];
  /** Its variables: bytes at its memory's base. */
  data?: readonly number[];
  /** Names of its own functions whose addresses stand at its place of the table. */
  table?: string[];
  /** Its functions; a body is given what it can name. */
  functions: Record<string, { shape: Shape; locals?: number; body: (at: Names) => number[] }>;
}

/** Instructions that name something of the module. */
export interface Names {
  call(name: string): number[];
  /** The address of something imported. */
  addressOf(name: string): number[];
  throwing(tag: string): number[];
  /** An address in its own data. */
  data(offset: number): number[];
  /** The address of one of its functions in the table. */
  own(name: string): number[];
}

function dylink({ data = [], table = [], needed = [], paths = [], weak = [] }: SideModule) {
  const aligned = 4;
  const parts = [section(1, [...number(data.length), aligned, ...number(table.length), 0])];
  if (needed.length > 0) parts.push(section(2, vector(needed.map(text))));
  if (weak.length > 0) {
    parts.push(section(4, vector(weak.map((name) => [...text("GOT.func"), ...text(name), WEAK]))));
  }
  if (paths.length > 0) parts.push(section(5, vector(paths.map(text))));
  return section(0, [...text("dylink.0"), ...parts.flat()]);
}

/** The module as a compiler would have written it. */
export function sideModule(given: SideModule): Uint8Array<ArrayBuffer> {
  const { calls = {}, functionAddresses = [], variableAddresses = [], tags = [] } = given;
  const { data = [], table = [], functions } = given;
  const own = Object.keys(functions);
  const called = Object.keys(calls);
  const shapes = [...Object.values(calls), ...own.map((name) => functions[name]!.shape)];
  const type = ([takes, gives]: Shape) => [
    0x60,
    ...vector(Array.from({ length: takes }, () => [I32])),
    ...vector(Array.from({ length: gives }, () => [I32])),
  ];
  const types = [...shapes.map(type), type([1, 0])];
  const entry = (module: string, name: string, kind: number[]) => [
    ...text(module),
    ...text(name),
    ...kind,
  ];
  const imports = [
    entry("env", "memory", [2, 0, 0]),
    entry("env", "__indirect_function_table", [1, FUNCREF, 0, 0]),
    entry("env", "__memory_base", [KINDS.global, I32, 0]),
    entry("env", "__table_base", [KINDS.global, I32, 0]),
    ...called.map((name, at) => entry("env", name, [KINDS.function, ...number(at)])),
    ...functionAddresses.map((name) => entry("GOT.func", name, [KINDS.global, I32, MUTABLE])),
    ...variableAddresses.map((name) => entry("GOT.mem", name, [KINDS.global, I32, MUTABLE])),
    ...tags.map((name) => entry("env", name, [KINDS.tag, 0, ...number(types.length - 1)])),
  ];
  const addresses = [...functionAddresses, ...variableAddresses];
  const indexOf = (name: string) => {
    const at = [...called, ...own].indexOf(name);
    if (at < 0) throw new Error(`No function ${name}`);
    return at;
  };
  const get = (global: number) => [0x23, ...number(global)];
  const names: Names = {
    call: (name) => [0x10, ...number(indexOf(name))],
    addressOf: (name) => get(2 + addresses.indexOf(name)),
    throwing: (tag) => [0x08, ...number(tags.indexOf(tag))],
    data: (offset) => [...get(0), ...constant(offset), 0x6a],
    own: (name) => [...get(1), ...constant(table.indexOf(name)), 0x6a],
  };
  const code = own.map((name) => {
    const { locals = 0, body } = functions[name]!;
    const whole = [...vector(locals > 0 ? [[...number(locals), I32]] : []), ...body(names), END];
    return [...number(whole.length), ...whole];
  });
  const elements = table.length === 0 ? [] : section(
    9,
    vector([[
      0,
      ...get(1),
      END,
      ...vector(table.map((name) => number(indexOf(name)))),
    ]]),
  );
  const exports = own.map((name) => [...text(name), KINDS.function, ...number(indexOf(name))]);
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...dylink(given),
    ...section(1, vector(types)),
    ...section(2, vector(imports)),
    ...section(3, vector(own.map((_, at) => number(called.length + at)))),
    ...section(7, vector(exports)),
    ...elements,
    ...section(10, vector(code)),
    ...(data.length === 0
      ? []
      : section(11, vector([[0, ...get(0), END, ...number(data.length), ...data]]))),
  ]);
}

/** Bytes of texts, each ended by a zero, and where each begins. */
export function texts(...values: string[]): { bytes: number[]; at: number[] } {
  const bytes: number[] = [];
  const at = values.map((value) => {
    const start = bytes.length;
    bytes.push(...encoder.encode(value), 0);
    return start;
  });
  return { bytes, at };
}
