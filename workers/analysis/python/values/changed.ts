/**
 * Names and tables that are given other values after they were stated, in their module or from
 * another one.
 *
 * @module
 */

/** How a name is given another value by its text: `globals()["x"] = …`, `setattr(m, "x", …)`. */
const SET_BY_NAME = String.raw`(\s*\]\s*=(?!=)|\s*,)`;
/** What follows the name of a table that is given another entry. */
const GROWS = String
  .raw`(\.(append|extend|insert|update|setdefault|add|appendleft)\(|\s*(\[[^\]\n]{0,200}\]\s*)?[+|]?=(?!=|\s*[\[{(]))`;

/** Whether a module gives a name another value by its text. */
export function isSetByName(text: string, name: string): boolean {
  return new RegExp(`["']${name}["']${SET_BY_NAME}`).test(text);
}

/** Whether a module gives an attribute of this name a value. */
export function isSetAsAttribute(text: string, name: string): boolean {
  return new RegExp(`\\.${name}\\s*=(?!=)`).test(text);
}

/** Whether a module gives a table more entries, or others. */
export function grows(text: string, table: string): boolean {
  return new RegExp(`(?<![\\w.])${table}${GROWS}`).test(text);
}

/** Names of a module that is called `module` here to which this text gives values. */
export function setIn(text: string, module: string): string[] {
  const own = `(?<![\\w.])${module.replaceAll(".", "\\.")}`;
  const ways = [
    `${own}\\.(\\w{1,100})\\s*[-+*|]?=(?!=)`,
    `${own}\\.(\\w{1,100})${GROWS}`,
    `${own}\\.__dict__\\s*\\[\\s*["'](\\w{1,100})["']\\s*\\]\\s*=(?!=)`,
    `\\bsetattr\\(\\s*${own}\\s*,\\s*["'](\\w{1,100})["']`,
    `\\bvars\\(\\s*${own}\\s*\\)\\s*\\[\\s*["'](\\w{1,100})["']\\s*\\]\\s*=(?!=)`,
  ];
  return ways.flatMap((way) => [...text.matchAll(new RegExp(way, "g"))].map(([, name]) => name!));
}
