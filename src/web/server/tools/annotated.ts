/**
 * What a signature and a description say of parameters: the description and the choices of an
 * annotated type, and the section of a docstring that lists arguments.
 *
 * @module
 */

/** Longest description of a parameter that is shown. */
const TEXT_MAX = 500;
const CHOICES_MAX = 50;

/** What a type says beside its name. */
export interface Annotated {
  /** Without what the annotation adds. */
  type: string;
  description: string | null;
  choices: string[];
}

const STRING = /^(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)')/;

/** A text in quotes at the beginning of `text`, without them. */
function quotedText(text: string): string | null {
  const [, double, single] = STRING.exec(text.slice(0, TEXT_MAX * 2)) ?? [];
  return (double ?? single)?.replaceAll(/\\(["'\\])/g, "$1").slice(0, TEXT_MAX) ?? null;
}

/** The description in `Field(description="…")`, wherever it stands in `text`. */
export function fieldDescription(text: string): string | null {
  const start = /\bdescription\s*=\s*/.exec(text);
  if (start === null || !/\bField\s*\(/.test(text)) return null;
  return quotedText(text.slice(start.index + start[0].length));
}

/** The choices in `Literal[…]` or a union of texts: `"a" | "b"`. */
function choicesIn(type: string): string[] {
  const inside = /\bLiteral\s*\[([^\][]*)\]/.exec(type)?.[1] ??
    (/^\s*["']/.test(type) && type.includes("|") ? type : null);
  if (inside === null) return [];
  return inside.split(/[,|]/).slice(0, CHOICES_MAX)
    .map((part) => quotedText(part.trim()) ?? part.trim())
    .filter((part) => part !== "");
}

/** The base of `Annotated[base, …]`; any other type as it is. */
function baseOf(type: string): string {
  const inside = /^Annotated\s*\[([\s\S]*)\]$/.exec(type)?.[1];
  if (inside === undefined) return type;
  let depth = 0;
  for (let at = 0; at < inside.length; at++) {
    const character = inside[at]!;
    if ("[({".includes(character)) depth++;
    else if ("])}".includes(character)) depth--;
    else if (character === "," && depth === 0) return inside.slice(0, at).trim();
  }
  return inside.trim();
}

/** Reads `Annotated[…]`, `Literal[…]` and unions of texts; any other type stays as it is. */
export function readType(type: string): Annotated {
  const base = baseOf(type.trim());
  return { type: base, description: fieldDescription(type), choices: choicesIn(base) };
}

// Of lines whose white space is one space each: what may be any number of them here and there is tried
// in all ways.
const SECTION = /^(?:Args|Arguments|Parameters|Params) ?:?$/i;
const OTHER_SECTION = /^(?:Returns?|Raises|Yields|Examples?|Notes?) ?:?$/i;
const ARGUMENT = /^(?:[-*] )?`?\*{0,2}([A-Za-z_]\w{0,99})`? ?(?:\([^)]{0,200}\))? ?: (.+)$/;
const PARAM =
  /^(?::param(?:eter)? (?:\w{1,100} )?|@param (?:\{[^}]{0,200}\} )?)(\w{1,100}) ?[:-]? ?(.+)$/;

/** A description without the list of its arguments, and what that says of each. */
export interface Docstring {
  text: string;
  /** Descriptions by parameter. */
  parameters: ReadonlyMap<string, string>;
}

/** Reads a docstring: a section "Args", or lines of `:param name:`. */
export function readDocstring(description: string): Docstring {
  const kept: string[] = [];
  const parameters = new Map<string, string>();
  let inside = false;
  let last: string | null = null;
  for (const line of description.split("\n")) {
    const plain = line.replaceAll(/\s+/g, " ").trim();
    const isOther = OTHER_SECTION.test(plain);
    if (SECTION.test(plain)) {
      inside = true;
      continue;
    }
    const found = (inside && !isOther ? ARGUMENT.exec(plain) : null) ?? PARAM.exec(plain);
    if (isOther) inside = false;
    if (found !== null) {
      last = found[1]!;
      parameters.set(last, found[2]!.slice(0, TEXT_MAX));
    } else if (inside && last !== null && plain !== "" && /^\s/.test(line)) {
      const more = `${parameters.get(last) ?? ""} ${plain}`;
      parameters.set(last, more.slice(0, TEXT_MAX));
    } else if (!inside) {
      kept.push(line);
    }
  }
  return { text: kept.join("\n").trim(), parameters };
}
