/**
 * The texts that an expression may have, put together from those of its parts.
 *
 * @module
 */
/** Values of one expression; a table of more is no list of files. */
const MAX_VALUES = 200;
/** Characters of a text: each name may double what another one gives. */
const MAX_TEXT = 1_000_000;

/** Texts, one of which an expression has; null when they are not stated. */
export type Values = readonly string[] | null;

/** Every way to join a value of each part; null as soon as a part has none. */
export function combine(parts: Iterable<Values>, join: (parts: string[]) => string): Values {
  let made: string[][] = [[]];
  for (const part of parts) {
    if (part === null) return null;
    made = made.flatMap((before) => part.map((each) => [...before, each]));
    if (made.length > MAX_VALUES) return null;
  }
  const texts: string[] = [];
  for (const each of made) {
    if (each.reduce((sum, { length }) => sum + length, 0) > MAX_TEXT) return null;
    texts.push(join(each));
  }
  return texts;
}

/** The values of any part; null as soon as a part has none. */
export function union(parts: Iterable<Values>): Values {
  const texts = new Set<string>();
  for (const part of parts) {
    if (part === null) return null;
    for (const each of part) texts.add(each);
  }
  return [...texts];
}

/**
 * Characters of all texts together that are looked at for one module. Honest modules stay far below;
 * names that double each other in many places would take minutes. Beyond it nothing is stated.
 */
const MAX_CHARACTERS = 20_000_000;
const spent = new WeakMap<object, number>();

/** The values, unless the module of this tree has used up its characters. */
export function charged(tree: object, values: Values): Values {
  if (values === null) return null;
  const all = values.reduce((sum, { length }) => sum + length, spent.get(tree) ?? 0);
  spent.set(tree, all);
  return all > MAX_CHARACTERS ? null : values;
}
