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

/** What a text has that changes anything of any module. */
const SETS = new RegExp(
  String.raw`\.\s*\w{1,100}(${GROWS}|\s*[-+*|]?=(?!=))|__dict__|\bsetattr\(|\bvars\(`,
);

/** Names of a module that is called `module` here to which this text gives values. */
export function setIn(text: string, module: string): string[] {
  // Before patterns are made: few modules change another.
  if (!SETS.test(text)) return [];
  const own = `(?<![\\w.])${module.replaceAll(".", "\\.")}`;
  const ways = [
    `${own}\\.(\\w{1,100})\\s*[-+*|]?=(?!=)`,
    `${own}\\.(\\w{1,100})${GROWS}`,
    `${own}\\.__dict__\\s*\\[\\s*["'](\\w{1,100})["']\\s*\\]\\s*=(?!=)`,
    `\\bsetattr\\(\\s*${own}\\s*,\\s*["'](\\w{1,100})["']`,
    `${own}\\.__dict__\\.update\\(\\s*(?:\\{\\s*["'])?(\\w{1,100})`,
    `\\bvars\\(\\s*${own}\\s*\\)\\s*\\[\\s*["'](\\w{1,100})["']\\s*\\]\\s*=(?!=)`,
  ];
  return ways.flatMap((way) => [...text.matchAll(new RegExp(way, "g"))].map(([, name]) => name!));
}

/** How a module comes by another one without a name of its own for it. */
const BY_TEXT = /\bsys\.modules\b|\bmodules\[|\bimport_module\b|\b__import__\b|\bload_module\b/;
const SET_SOMEWHERE = [
  /\.(\w{1,100})\s*[-+*|]?=(?!=)/g,
  /["'](\w{1,100})["']\s*\]\s*=(?!=)/g,
  /\bsetattr\([^,\n]{1,200},\s*["'](\w{1,100})["']/g,
  /\.update\(\s*(?:\{\s*["'])?(\w{1,100})/g,
];

/** Names to which this text may give values in modules that it finds by their names. */
export function setByText(text: string): string[] {
  if (!BY_TEXT.test(text)) return [];
  return SET_SOMEWHERE.flatMap((way) => [...text.matchAll(way)].map(([, name]) => name!));
}

/** Whether functions of a module give a name of the module other values: `global NAME`. */
export function isGlobal(text: string, name: string): boolean {
  return new RegExp(`\\bglobal\\b[^\\n]*\\b${name}\\b`).test(text);
}
