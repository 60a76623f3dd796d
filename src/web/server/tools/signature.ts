/**
 * Parameters of a tool, read from the signature that the scan found. What cannot be read is shown
 * as it stands.
 *
 * @module
 */

/** One argument of a tool, as its source declares it. */
export interface Parameter {
  name: string;
  type: string | null;
  /** As written; null where it must be given. */
  defaultValue: string | null;
}

/** What a tool's source declares: its arguments and its return type. */
export interface Signature {
  parameters: Parameter[];
  returns: string | null;
}

const OPEN = "([{<";
const CLOSE = ")]}>";
const MAX_LENGTH = 4000;

/** Where `text` has `separator` outside brackets and quotes. */
function splitTop(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quote !== "") {
      if (character === "\\") at++;
      else if (character === quote) quote = "";
    } else if (character === '"' || character === "'" || character === "`") quote = character;
    else if (OPEN.includes(character)) depth++;
    else if (character === ">" && "-=".includes(text[at - 1] ?? "")) continue;
    else if (CLOSE.includes(character)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && text.startsWith(separator, at)) {
      parts.push(text.slice(from, at));
      from = at + separator.length;
      at = from - 1;
    }
  }
  return [...parts, text.slice(from)];
}

function parameterOf(text: string): Parameter | null {
  const [declared, ...rest] = splitTop(text, "=");
  const defaultValue = rest.length === 0 ? null : rest.join("=").trim();
  const [name = "", ...type] = splitTop(declared!, ":");
  const plain = name.trim().replace(/^\*+/, "").replace(/\?$/, "");
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(plain)) return null;
  return {
    name: plain,
    type: type.length === 0 ? null : type.join(":").trim(),
    defaultValue: defaultValue ?? (name.trim().endsWith("?") ? "optional" : null),
  };
}

const INNER = /^(self|cls)$|^(mcp\.server\.fastmcp\.)?Context\b/;

/** Reads `name(a: int, b = 1) -> str`; null when it is of another form. */
export function parseSignature(text: string): Signature | null {
  if (text.length > MAX_LENGTH) return null;
  const open = text.indexOf("(");
  if (open < 0) return null;
  let depth = 0;
  let end = -1;
  for (let at = open; at < text.length && end < 0; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) end = at;
  }
  if (end < 0) return null;
  const inside = text.slice(open + 1, end).trim();
  const returns = /^(?:->|:)([\s\S]+?):?$/.exec(text.slice(end + 1).trim())?.[1]?.trim() ?? null;
  const parts = inside === "" ? [] : splitTop(inside, ",").map((part) => part.trim());
  const parameters = parts.filter((part) => !["", "*", "/"].includes(part)).map(parameterOf);
  if (parameters.some((parameter) => parameter === null)) return null;
  return {
    returns,
    // What the framework passes is none of the caller's business.
    parameters: (parameters as Parameter[]).filter(({ name, type }) =>
      !INNER.test(name) && !(type !== null && INNER.test(type))
    ),
  };
}
