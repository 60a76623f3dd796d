/**
 * How names look: two that share a skeleton (UTS #39, section 4) are easily taken for each other.
 *
 * @module
 */
import { PROTOTYPES } from "./confusables.ts";
import { plainLetter } from "./letters.ts";

/** Characters of a skeleton that are kept: one may stand for eighteen, and an index has a limit. */
const LENGTH = 400;

/** A dot over a letter that has one: both are drawn as one (UTS #39, section 5.4). */
const SECOND_DOT = /(?<=\p{Soft_Dotted}\p{M}*)\u0307/gu;

// Its upper case is that of "i", but case folding leaves it alone.
const DOTLESS_I = "\u0131";

function foldCharacter(character: string): string {
  return character === DOTLESS_I ? character : character.toLowerCase().toUpperCase().toLowerCase();
}

/**
 * `text` after NFKC and case folding. JavaScript has no case folding; lower, upper and lower again
 * of each character comes to the same.
 */
export function folded(text: string): string {
  return Array.from(text.normalize("NFKC"), foldCharacter).join("").normalize("NFKC");
}

/** The skeleton of UTS #39: what is invisible left out, look-alikes replaced by their prototype. */
export function skeleton(text: string): string {
  const visible = text.normalize("NFD").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return Array.from(visible, (character) => PROTOTYPES.get(character) ?? character).join("")
    .normalize("NFD");
}

/** The skeleton in one letter case and with single spaces. */
function lookOf(text: string): string {
  const letters = Array.from(skeleton(text).toLowerCase(), plainLetter).join("");
  const look = skeleton(letters.replace(SECOND_DOT, "")).replace(/\s+/gu, " ").trim();
  return Array.from(look).slice(0, LENGTH).join("");
}

/**
 * How a name may look: as it is written (a capital I is taken for an l, a small one is not; NFKC would
 * turn the lunate sigma, which looks like c, into one that does not), and as names are compared.
 * Names are look-alikes that share one of these.
 */
export function looksOf(name: string): string[] {
  const spellings = [name, name.normalize("NFKC"), folded(name)];
  return [...new Set(spellings.map(lookOf))].toSorted();
}
