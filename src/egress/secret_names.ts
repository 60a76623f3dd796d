/**
 * Secrets in names that are looked up: whoever answers for a domain sees every name below it. A name
 * takes few characters and no capitals, so a secret comes in pieces, or encoded for it.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { randomPartOf } from "../keys/placeholder.ts";

/** Shorter pieces could be met by chance. */
const PIECE_CHARS = 10;
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{5}/g) ?? [];
  return groups.map((group) => BASE32[parseInt(group, 2)]).join("");
}

/** `text` as a name has it, without what names do not take. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** All pieces of a placeholder, in the forms that names take. */
export function piecesOf(placeholder: string): ReadonlySet<string> {
  const random = randomPartOf(placeholder);
  const forms = [random, Buffer.from(random).toString("hex"), base32(random), base32(placeholder)];
  const found = new Set<string>();
  for (const form of forms.map(plain)) {
    for (let at = 0; at + PIECE_CHARS <= form.length; at++) {
      found.add(form.slice(at, at + PIECE_CHARS));
    }
  }
  return found;
}

/** Whether a host's name has one of the `pieces` of a placeholder in it. */
export function isInHostName(host: string, pieces: ReadonlySet<string>): boolean {
  const name = plain(host);
  for (let at = 0; at + PIECE_CHARS <= name.length; at++) {
    if (pieces.has(name.slice(at, at + PIECE_CHARS))) return true;
  }
  return false;
}
