/**
 * Colours of terminals.
 *
 * @module
 */

/** Makes `text` look so; without colours it stays as it is. */
export type Paint = (text: string) => string;

/** Styles of terminal text. */
export interface Style {
  bold: Paint;
  dim: Paint;
  red: Paint;
  green: Paint;
  yellow: Paint;
  cyan: Paint;
}

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const satisfies Record<keyof Style, readonly [number, number]>;

export function createStyle(colour: boolean): Style {
  const paint = (name: keyof Style): Paint => {
    const [on, off] = CODES[name];
    return colour ? (text) => `\x1b[${on}m${text}\x1b[${off}m` : (text) => text;
  };
  return {
    bold: paint("bold"),
    dim: paint("dim"),
    red: paint("red"),
    green: paint("green"),
    yellow: paint("yellow"),
    cyan: paint("cyan"),
  };
}
