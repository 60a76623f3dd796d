/**
 * Which characters are taken for which others: the data of UTS #39.
 *
 * @module
 */
import data from "./confusables.txt" with { type: "text" };

function characterOf(hex: string): string {
  return String.fromCodePoint(parseInt(hex, 16));
}

/** By character, the prototype that stands for all that look like it. */
export const PROTOTYPES: ReadonlyMap<string, string> = new Map(
  data.split("\n").filter((line) => line !== "" && !line.startsWith("#")).flatMap((line) => {
    const [prototype = "", ...characters] = line.split(" ");
    const text = prototype.split("+").map(characterOf).join("");
    return characters.map((hex) => [characterOf(hex), text] as const);
  }),
);
