/**
 * What Python's operators and slices give for constants.
 *
 * @module
 */
import type { Folded } from "./folding_calls.ts";

/** Most characters, bytes or entries of a value. */
const MAX_SIZE = 8192;

/** `value` if it is of a bearable size. */
export function bounded(value: Folded | undefined): Folded | undefined {
  if (value === undefined || typeof value === "number") return value;
  return value.length <= MAX_SIZE ? value : undefined;
}

/** Two values put together by `+`. */
export function sum(left: Folded, right: Folded): Folded | undefined {
  if (typeof left === "string" && typeof right === "string") return left + right;
  if (typeof left === "number" && typeof right === "number") return left + right;
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    return Uint8Array.from([...left, ...right]);
  }
  return Array.isArray(left) && Array.isArray(right) ? [...left, ...right] : undefined;
}

function repeated(value: Folded, count: Folded): Folded | undefined {
  if (typeof value === "number" && typeof count === "number") return value * count;
  if (typeof value === "number") return repeated(count, value);
  if (typeof count !== "number" || count * value.length > MAX_SIZE) return undefined;
  const times = Math.max(0, count);
  if (typeof value === "string") return value.repeat(times);
  return Array.isArray(value) ? Array.from({ length: times }, () => value).flat() : undefined;
}

/** `"%s%c" % (a, b)`. */
function percent(format: string, given: Folded): Folded | undefined {
  const values = Array.isArray(given) ? [...given] : [given];
  let known = true;
  const text = format.replace(/%(?:%|([sdcr])|.)/g, (whole, kind) => {
    if (whole === "%%") return "%";
    const value = values.shift();
    if (kind === "c" && typeof value === "number") return String.fromCharCode(value);
    if (kind === "r" || kind === undefined || typeof value === "object" || value === undefined) {
      known = false;
    }
    return String(value);
  });
  return known ? text : undefined;
}

/** Two values put together by an operator. */
export function arithmetic(operator: string, left: Folded, right: Folded): Folded | undefined {
  if (operator === "+") return sum(left, right);
  if (operator === "*") return repeated(left, right);
  if (operator === "%" && typeof left === "string") return percent(left, right);
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  if (operator === "-") return left - right;
  if (operator === "^") return left ^ right;
  if (operator === "|") return left | right;
  if (operator === "&") return left & right;
  if (operator === ">>") return left >> right;
  if (operator === "<<") return left << right;
  if (operator === "//" && right !== 0) return Math.floor(left / right);
  return operator === "%" && right !== 0 ? left - right * Math.floor(left / right) : undefined;
}

/** A part of a value: start, stop and step as the source gives them. */
export function sliced(value: string | Uint8Array | Folded[], parts: (number | null)[]): Folded {
  const [start, stop, step = 1] = parts.map((part) => part ?? undefined);
  const { length } = value;
  const within = (at: number) => Math.min(length, Math.max(0, at < 0 ? at + length : at));
  const picked: number[] = [];
  if (step > 0) {
    for (let at = within(start ?? 0); at < within(stop ?? length); at += step) picked.push(at);
  } else if (step < 0) {
    const last = stop === undefined ? -1 : stop < 0 ? stop + length : stop;
    const first = start === undefined ? length - 1 : start < 0 ? start + length : start;
    for (let at = Math.min(first, length - 1); at > last; at += step) picked.push(at);
  }
  if (typeof value === "string") return picked.map((at) => value[at] ?? "").join("");
  return value instanceof Uint8Array
    ? Uint8Array.from(picked, (at) => value[at]!)
    : picked.map((at) => value[at]!);
}
