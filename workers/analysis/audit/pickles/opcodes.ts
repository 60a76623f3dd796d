/**
 * The functions and classes that pickles name, read from their opcodes (Lib/pickletools.py of CPython
 * describes them) without making anything.
 *
 * @module
 */

/** Functions and classes that loading a pickle would import, without loading it. */
export interface PickleNames {
  /** Dotted names, `module.name`. */
  globals: Set<string>;
  /** Texts in it that name what leads from any object to the interpreter, or make such texts. */
  leading: boolean;
  /** Whether a whole pickle has a name that is not written in it. */
  unknown: boolean;
  /** Whether there was more than is looked at. */
  cut: boolean;
}

/** Opcodes that are looked at in one file. */
const MAX_STEPS = 10_000_000;
/** Globals of one file. */
const MAX_GLOBALS = 10_000;
const MAX_LINE = 1_000;
const LEADS =
  /^(__\w+__|[fgct][a-z]?_(globals|builtins|locals|frame|code)|system|popen|eval|exec|join|format|format_map|translate|decode|replace)$/;
const MARK = Symbol("mark");

type Item = string | null | typeof MARK;

const code = (text: string) => [...text].map((each) => each.charCodeAt(0));
/** Bytes of an argument after opcodes that have one of a fixed size. */
const FIXED = new Map<number, number>([
  ...code("Kqh\x80\x82").map((op) => [op, 1] as const),
  ...code("M\x83").map((op) => [op, 2] as const),
  ...code("Jrj\x84").map((op) => [op, 4] as const),
  ...code("G\x95").map((op) => [op, 8] as const),
]);
/** Bytes of the length before an argument. */
const COUNTED = new Map<number, number>([
  ...code("UC\x8a\x8c").map((op) => [op, 1] as const),
  ...code("TXB\x8b").map((op) => [op, 4] as const),
  ...code("\x8d\x8e\x96").map((op) => [op, 8] as const),
]);
/** Lines of an argument. */
const LINES = new Map<number, number>([
  ...code("FILSVPpg").map((op) => [op, 1] as const),
  ...code("ci").map((op) => [op, 2] as const),
]);
const TEXTS = new Set(code("SVUTX\x8c\x8d"));
export const PUSHES = new Set(
  code("NIJKLMGFSVUTXBCP]})\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f\x96\x97\x82\x83\x84"),
);
/** How many objects opcodes take; they give one. */
export const MAKES = new Map<number, number>([
  [0x51, 1],
  [0x52, 2],
  [0x81, 2],
  [0x92, 3],
  [0x85, 1],
  [0x86, 2],
  [0x87, 3],
  [0x98, 1],
]);
/** How many objects opcodes take that give none. */
export const TAKES = new Map<number, number>([[0x61, 1], [0x73, 2], [0x62, 1], [0x30, 1]]);
/** They make one object of all since the mark. */
export const GATHERS = new Set(code("tldo\x91i"));
/** They add all since the mark to what is below. */
export const ADDS = new Set(code("eu\x901"));

/** Where the argument of an opcode ends, and its text if it is one; null where it is cut. */
export function argumentAt(
  bytes: Uint8Array,
  op: number,
  at: number,
): { next: number; texts: string[] } | null {
  const fixed = FIXED.get(op);
  if (fixed !== undefined) {
    return at + fixed > bytes.length ? null : { next: at + fixed, texts: [] };
  }
  const text = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
  const counted = COUNTED.get(op);
  if (counted !== undefined) {
    if (at + counted > bytes.length) return null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const size = counted === 1
      ? bytes[at]!
      : counted === 4
      ? view.getUint32(at, true)
      : Number(view.getBigUint64(at, true));
    const from = at + counted;
    if (from + size > bytes.length) return null;
    const texts = TEXTS.has(op) && size <= MAX_LINE ? [text(from, from + size)] : [];
    return { next: from + size, texts };
  }
  const texts: string[] = [];
  let next = at;
  for (let lines = LINES.get(op) ?? 0; lines > 0; lines--) {
    const length = bytes.subarray(next, next + MAX_LINE).indexOf(10);
    if (length < 0) return null;
    const line = text(next, next + length);
    texts.push(op === 0x53 ? line.replace(/^["']|["']$/g, "") : line);
    next += length + 1;
  }
  return { next, texts };
}

/** Reads one pickle after the other. */
class Reader {
  readonly names: PickleNames = { globals: new Set(), leading: false, unknown: false, cut: false };
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #steps = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  #add(module: string, name: string): void {
    if (this.names.globals.size >= MAX_GLOBALS) this.names.cut = true;
    else if (/^[\w.]+$/.test(module) && /^[\w.<>]+$/.test(name)) {
      this.names.globals.add(`${module}.${name}`);
    }
  }

  /** Reads a pickle from `start` on: where it ends, or null if none is there. */
  read(start: number): number | null {
    const stack: Item[] = [];
    const memo = new Map<string, Item>();
    const found: [string, string][] = [];
    let [unknown, leads] = [false, false];
    const pop = (count: number) => stack.splice(Math.max(0, stack.length - count));
    const toMark = () => stack.splice(Math.max(0, stack.lastIndexOf(MARK)));
    let at = start;
    let end: number | null = null;
    while (at < this.#bytes.length) {
      if (++this.#steps > MAX_STEPS) {
        this.names.cut = true;
        break;
      }
      const op = this.#bytes[at++]!;
      if (op === 0x2e) {
        end = at;
        break;
      }
      const argument = argumentAt(this.#bytes, op, at);
      if (argument === null) break;
      const { next, texts: [text, second] } = argument;
      const number = next - at <= 4 && next > at ? this.#number(at, next - at) : "";
      at = next;
      if (text !== undefined && LEADS.test(text) && op !== 0x63 && op !== 0x69) leads = true;
      if (op === 0x63 || op === 0x69) {
        found.push([text!, second!]);
        if (op === 0x69) toMark();
        stack.push(null);
      } else if (op === 0x93) {
        const [module, name] = pop(2);
        if (typeof module === "string" && typeof name === "string") found.push([module, name]);
        else unknown = true;
        stack.push(null);
      } else if (op === 0x28) stack.push(MARK);
      else if (op === 0x32) stack.push(stack.at(-1) ?? null);
      else if (op === 0x94) memo.set(String(memo.size), stack.at(-1) ?? null);
      else if (op === 0x70) memo.set(text!, stack.at(-1) ?? null);
      else if (op === 0x71 || op === 0x72) memo.set(number, stack.at(-1) ?? null);
      else if (op === 0x67) stack.push(memo.get(text!) ?? null);
      else if (op === 0x68 || op === 0x6a) stack.push(memo.get(number) ?? null);
      else if (MAKES.has(op)) {
        pop(MAKES.get(op)!);
        stack.push(null);
      } else if (TAKES.has(op)) pop(TAKES.get(op)!);
      else if (GATHERS.has(op)) {
        toMark();
        stack.push(null);
      } else if (ADDS.has(op)) toMark();
      else if (PUSHES.has(op)) stack.push(TEXTS.has(op) ? text ?? null : null);
      else if (op !== 0x80 && op !== 0x95) break;
    }
    // What is no pickle may still look like the beginning of one.
    for (const [module, name] of found) this.#add(module, name);
    if (end !== null) {
      this.names.unknown ||= unknown;
      this.names.leading ||= leads;
    }
    return end;
  }

  #number(at: number, size: number): string {
    switch (size) {
      case 1:
        return String(this.#view.getUint8(at));
      case 4:
        return String(this.#view.getUint32(at, true));
      default:
        return "";
    }
  }
}

/** What the pickles in a file name: at its beginning, and wherever one of protocol 2 or newer begins. */
export function pickleNames(bytes: Uint8Array): PickleNames {
  const reader = new Reader(bytes);
  let from = reader.read(0) ?? 0;
  while (!reader.names.cut) {
    const start = bytes.indexOf(0x80, from);
    if (start < 0) break;
    const protocol = bytes[start + 1] ?? 0;
    const end = protocol >= 2 && protocol <= 5 ? reader.read(start) : null;
    from = end ?? start + 1;
  }
  return reader.names;
}
