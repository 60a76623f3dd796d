/**
 * Signs of formats that the grammar takes for assignments: `f"{x:=^9}"` fills with `=`, and assigns
 * nothing.
 *
 * @module
 */
import type { FlatReader } from "../syntax/flat_tree.ts";
import { nodeTypes } from "../syntax/node_types.ts";

const MAY_BE = /[fFtT][rR]?["'][\s\S]*:=/;
const PREFIX = /(?<![\w])[rRbBfFtTuU]{1,2}$/;
const SPECIFIERS = nodeTypes("format_specifier");
const MAX_DEPTH = 20;

/** Goes through Python as the interpreter's tokenizer does, as far as strings and their fields need it. */
class Signs {
  readonly found: number[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the string ends whose quote is at `at`. */
  #string(at: number, depth: number): number {
    const text = this.#text;
    const letter = text[at]!;
    const quote = text.startsWith(letter.repeat(3), at) ? letter.repeat(3) : letter;
    const prefix = PREFIX.exec(text.slice(Math.max(0, at - 3), at))?.[0] ?? "";
    const isFormatted = /[ft]/i.test(prefix);
    let next = at + quote.length;
    while (next < text.length) {
      const sign = text[next]!;
      if (text.startsWith(quote, next)) return next + quote.length;
      if (sign === "\n" && quote.length === 1) return next;
      if (sign === "\\") {
        const isName = isFormatted && !/r/i.test(prefix) && text.startsWith("N{", next + 1);
        if (isName) next = this.#behind("}", next);
        else next += isFormatted && /[{}]/.test(text[next + 1] ?? "") ? 1 : 2;
      } else if (isFormatted && sign === "{") {
        next = text[next + 1] === "{" ? next + 2 : this.#field(next + 1, depth + 1);
      } else next++;
    }
    return next;
  }

  #behind(sign: string, from: number): number {
    const end = this.#text.indexOf(sign, from);
    return end < 0 ? this.#text.length : end + 1;
  }

  /** Where the field ends whose expression begins at `at`. */
  #field(at: number, depth: number): number {
    const text = this.#text;
    let open = 0;
    let isFormat = false;
    let next = at;
    while (next < text.length && depth < MAX_DEPTH) {
      const sign = text[next]!;
      if (isFormat) {
        if (sign === "}") return next + 1;
        next = sign === "{" ? this.#field(next + 1, depth + 1) : next + 1;
        continue;
      }
      if (sign === "}" && open === 0) return next + 1;
      if (sign === ":" && open === 0) {
        isFormat = true;
        if (text[next + 1] === "=") this.found.push(next + 1);
      }
      if (/[([{]/.test(sign)) open++;
      else if (/[)\]}]/.test(sign)) open--;
      next = this.#past(next, depth);
    }
    return next;
  }

  /** What comes behind the sign at `at` of code: behind a string or a remark, if it begins one. */
  #past(at: number, depth: number): number {
    const sign = this.#text[at];
    if (sign === '"' || sign === "'") return this.#string(at, depth);
    return sign === "#" ? this.#behind("\n", at) : at + 1;
  }

  read(): number[] {
    for (let at = 0; at < this.#text.length;) at = this.#past(at, 0);
    return this.found;
  }
}

/**
 * The text with another sign of the same meaning to rules in place of each `=` that begins a format,
 * and where these are.
 */
export function withoutFormatSigns(text: string): { told: string; signs: readonly number[] } {
  const signs = text.includes(":=") && MAY_BE.test(text) ? new Signs(text).read() : [];
  let told = "";
  let done = 0;
  for (const at of signs) {
    told += `${text.slice(done, at)}<`;
    done = at + 1;
  }
  return { told: told + text.slice(done), signs };
}

/** Whether each sign is where a format begins, as the grammar sees it, and changes nothing else. */
export function areInFormats(tree: FlatReader, signs: readonly number[]): boolean {
  const isSpecifier = tree.is(SPECIFIERS);
  const begins = new Set<number>();
  for (let node = 0; node < tree.count; node++) {
    if (isSpecifier(node)) begins.add(tree.start(node) + 1);
  }
  return signs.every((at) => begins.has(at));
}
