/**
 * Shapes of messages, for both ends of every channel. Whoever sends may be hostile and send whatever
 * can be cloned or written as JSON: memory that it shares and makes longer later, a number that is a
 * text, an array with a type. What a shape gives has exactly its fields, and bytes that nobody else
 * can reach. Without any package, as session hosts have none.
 *
 * @module
 */
import { isFixed } from "./own_bytes.ts";

/** What a shape gives for a value that has another. */
export const REFUSED = Symbol("refused");
/** Reads a value into one that nobody else holds. */
export type Shape<T> = (value: unknown) => T | typeof REFUSED;
export type Shaped<S> = S extends Shape<infer T> ? Exclude<T, typeof REFUSED> : never;
export type Fields = Readonly<Record<string, Shape<unknown>>>;
export type FieldsShaped<F extends Fields> = { [Name in keyof F]: Shaped<F[Name]> };

/** A whole number that is at least `least`. */
export function integer(least: number): Shape<number> {
  return (value) =>
    Number.isSafeInteger(value) && value as number >= least ? value as number : REFUSED;
}

/** A text of at most `limit` UTF-16 units that matches `pattern`. */
export function text(limit: number, pattern?: RegExp): Shape<string> {
  return (value) => {
    if (typeof value !== "string" || value.length > limit) return REFUSED;
    return pattern === undefined || pattern.test(value) ? value : REFUSED;
  };
}

export function oneOf<T extends string>(...texts: T[]): Shape<T> {
  return (value) => texts.find((text) => text === value) ?? REFUSED;
}

/** `true` or `false`. */
export const flag: Shape<boolean> = (value) => typeof value === "boolean" ? value : REFUSED;

/** A copy of at most `limit` bytes in memory of their own; shared or resizable memory is refused. */
export function bytes(limit: number): Shape<Uint8Array> {
  return (value) => {
    if (!(value instanceof Uint8Array) || !isFixed(value) || value.length > limit) return REFUSED;
    // Of a view, all that it is a view of would be kept.
    return new Uint8Array(value);
  };
}

export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value) => value === null ? null : shape(value);
}

/** At most `limit` values of this shape. */
export function list<T>(shape: Shape<T>, limit: number): Shape<T[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length > limit) return REFUSED;
    const entries: T[] = [];
    for (const entry of value) {
      const found = shape(entry);
      if (found === REFUSED) return REFUSED;
      entries.push(found);
    }
    return entries;
  };
}

/** A plain object with exactly these fields. */
export function object<F extends Fields>(fields: F): Shape<FieldsShaped<F>> {
  const shapes = Object.entries(fields);
  return (value) => {
    if (typeof value !== "object" || value === null) return REFUSED;
    if (Object.getPrototypeOf(value) !== Object.prototype) return REFUSED;
    if (Reflect.ownKeys(value).length !== shapes.length) return REFUSED;
    const found: Record<string, unknown> = {};
    for (const [name, shape] of shapes) {
      if (!Object.hasOwn(value, name)) return REFUSED;
      const field = shape((value as Record<string, unknown>)[name]);
      if (field === REFUSED) return REFUSED;
      found[name] = field;
    }
    return found as FieldsShaped<F>;
  };
}

/** Whatever comes: for what only a trusted end sends. */
export function trusted<T>(): Shape<T> {
  return (value) => value as T;
}
