/**
 * Whether what looks like an old pickle's function, in the middle of a file, is one: lines of a word
 * list look the same, but soon end the reading, before anything is called.
 *
 * @module
 */
import { ADDS, argumentAt, GATHERS, MAKES, PUSHES, TAKES } from "./opcodes.ts";

const MAX_STEPS = 100_000;
/** Marks before a place from which it is tried to come there, and bytes in which they are. */
const MAX_MARKS = 200;
const MAX_BEFORE = 1_000_000;
const [MARK, STOP, DUPLICATE, GLOBAL, INSTANCE] = [0x28, 0x2e, 0x32, 0x63, 0x69];
const [OBJECT, BUILD, ITEM, APPEND] = [0x6f, 0x62, 0x73, 0x61];
/** They call what is below the arguments on the stack. */
const CALLS = new Set([0x52, 0x81, 0x92]);
/** They remember, or say how the pickle is written: the stack stays. */
const NOTES = new Set([0x70, 0x71, 0x72, 0x80, 0x94, 0x95]);
/** They take a name, or what was remembered. */
const GETS = new Set([0x67, 0x68, 0x6a, 0x93]);

function isOpcode(op: number): boolean {
  return op === MARK || op === DUPLICATE || op === GLOBAL || op === INSTANCE || PUSHES.has(op) ||
    MAKES.has(op) || TAKES.has(op) || GATHERS.has(op) || ADDS.has(op) || NOTES.has(op) ||
    GETS.has(op);
}

/** Whether reading from `start` on comes to an opcode at `place`. */
function comesTo(bytes: Uint8Array, start: number, place: number): boolean {
  let at = start;
  for (let steps = 0; at < place; steps++) {
    if (steps === MAX_STEPS) return true;
    const op = bytes[at]!;
    if (!isOpcode(op)) return false;
    const argument = argumentAt(bytes, op, at + 1);
    if (argument === null) return true;
    at = argument.next;
  }
  return at === place;
}

/** Whether a mark before `place` belongs to a pickle that goes on there. */
function isMarked(bytes: Uint8Array, place: number): boolean {
  let left = MAX_MARKS;
  const first = place - MAX_BEFORE;
  for (let at = place - 1; at >= 0 && at >= first; at--) {
    if (bytes[at] !== MARK) continue;
    if (left-- === 0 || comesTo(bytes, at, place)) return true;
  }
  return first > 0;
}

/**
 * Whether a pickle calls, changes or gives back what it has named at `place`, or whether that cannot
 * be said. Without it a reader would end with an error first.
 */
export function isUsed(bytes: Uint8Array, place: number): boolean {
  let before: boolean | null = null;
  const marked = () => before ??= isMarked(bytes, place);
  if (bytes[place] === INSTANCE) return marked();
  // What is on the stack, of which only the part is known that is pushed from here on.
  const stack: ("mark" | "object")[] = [];
  let at = place;
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const op = bytes[at];
    if (op === undefined || op === STOP || CALLS.has(op)) return true;
    if (!isOpcode(op)) return false;
    const argument = argumentAt(bytes, op, at + 1);
    if (argument === null) return true;
    at = argument.next;
    if (op === MARK) stack.push("mark");
    else if (op === OBJECT || op === INSTANCE || ADDS.has(op)) {
      return stack.includes("mark") || marked();
    } else if (GATHERS.has(op)) {
      const mark = stack.lastIndexOf("mark");
      if (mark < 0 && !marked()) return false;
      stack.splice(Math.max(0, mark), stack.length, "object");
    } else if (op === ITEM && stack.length > 2 || op === BUILD && stack.length > 1) return true;
    else if (op === APPEND && stack.length > 1) return true;
    else if (TAKES.has(op)) stack.splice(-TAKES.get(op)!);
    else if (MAKES.has(op)) stack.splice(-MAKES.get(op)!, stack.length, "object");
    else if (!NOTES.has(op)) stack.push("object");
  }
  return true;
}
