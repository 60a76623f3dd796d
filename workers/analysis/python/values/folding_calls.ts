/**
 * What calls of Python's text functions give for constants.
 *
 * @module
 */
import { textOf } from "../../syntax/source_tree.ts";
import { child, type SyntaxNode } from "../../syntax/tree.ts";
import { argumentsOf, type PythonNames, resolve } from "../names.ts";
import { fromAscii85, fromBase32, fromBase85 } from "./base_codes.ts";

export type Folded = string | number | Uint8Array | Folded[];

/** The bytes of a text of characters below 256. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Folds expressions of one module. */
export interface Folder {
  fold(node: SyntaxNode): Folded | undefined;
  all(nodes: readonly SyntaxNode[]): Folded[] | undefined;
}

type Known = (given: readonly Folded[]) => Folded | undefined;

const isText = (value: Folded | undefined): value is string => typeof value === "string";

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function bytesOf(value: Folded | undefined): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  return isText(value) ? new TextEncoder().encode(value) : undefined;
}

function textOfBytes(value: Folded | undefined): string | undefined {
  return value instanceof Uint8Array ? utf8(value) : isText(value) ? value : undefined;
}

function base64(value: Folded | undefined): Folded | undefined {
  const text = textOfBytes(value)?.replaceAll("-", "+").replaceAll("_", "/").replace(/\s/g, "");
  try {
    return text === undefined ? undefined : Uint8Array.fromBase64(text);
  } catch {
    return undefined;
  }
}

function byText(
  value: Folded | undefined,
  decode: (text: string) => Uint8Array | undefined,
): Folded | undefined {
  const text = textOfBytes(value);
  return text === undefined ? undefined : decode(text);
}

function hex(value: Folded | undefined): Folded | undefined {
  const text = textOfBytes(value)?.replace(/\s/g, "");
  try {
    return text === undefined ? undefined : Uint8Array.fromHex(text);
  } catch {
    return undefined;
  }
}

const ROT_FROM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function rot13(text: string): string {
  return text.replace(/[A-Za-z]/g, (letter) => {
    const at = ROT_FROM.indexOf(letter);
    const base = at < 26 ? 0 : 26;
    return ROT_FROM[base + (at - base + 13) % 26]!;
  });
}

/** `codecs.decode(value, encoding)`, `value.decode(encoding)`. */
function decoded(value: Folded | undefined, encoding: Folded | undefined): Folded | undefined {
  const name = isText(encoding) ? encoding.toLowerCase().replaceAll("_", "") : "utf8";
  if (/^rot-?13$/.test(name)) return isText(value) ? rot13(value) : undefined;
  if (/^hex(codec)?$/.test(name)) return hex(value);
  if (/^base64/.test(name)) return base64(value);
  if (!(value instanceof Uint8Array)) return undefined;
  if (/^utf-?8|^ascii/.test(name)) return utf8(value);
  return /^(latin-?1|iso-?8859-?1|cp1252)$/.test(name) ? String.fromCharCode(...value) : undefined;
}

function entries(value: Folded | undefined): Folded[] | undefined {
  if (Array.isArray(value)) return value;
  if (isText(value)) return [...value];
  return value instanceof Uint8Array ? [...value] : undefined;
}

function codesToBytes(value: Folded | undefined): Folded | undefined {
  if (value instanceof Uint8Array) return value;
  if (isText(value)) return new TextEncoder().encode(value);
  const codes = entries(value);
  return codes?.every((code) => typeof code === "number" && code >= 0 && code < 256)
    ? Uint8Array.from(codes as number[])
    : undefined;
}

const character: Known = ([code]) =>
  typeof code === "number" && code >= 0 && code <= 0x10ffff
    ? String.fromCodePoint(code)
    : undefined;

const FUNCTIONS: Record<string, Known> = {
  chr: character,
  ord: ([value]) => isText(value) ? value.codePointAt(0) : undefined,
  str: ([value]) => isText(value) || typeof value === "number" ? String(value) : textOfBytes(value),
  int: ([value, base]) => {
    if (typeof value === "number") return value;
    const number = isText(value) ? parseInt(value, typeof base === "number" ? base : 10) : NaN;
    return Number.isSafeInteger(number) ? number : undefined;
  },
  len: ([value]) => value === undefined || typeof value === "number" ? undefined : value.length,
  bytes: ([value]) => codesToBytes(value),
  bytearray: ([value]) => codesToBytes(value),
  "bytes.fromhex": ([value]) => hex(value),
  "bytearray.fromhex": ([value]) => hex(value),
  "binascii.unhexlify": ([value]) => hex(value),
  "binascii.a2b_hex": ([value]) => hex(value),
  "binascii.a2b_base64": ([value]) => base64(value),
  "base64.b64decode": ([value]) => base64(value),
  "base64.standard_b64decode": ([value]) => base64(value),
  "base64.urlsafe_b64decode": ([value]) => base64(value),
  "base64.b32decode": ([value]) => byText(value, fromBase32),
  "base64.b85decode": ([value]) => byText(value, fromBase85),
  "base64.a85decode": ([value]) => byText(value, fromAscii85),
  "base64.decodebytes": ([value]) => base64(value),
  "base64.b16decode": ([value]) => hex(value),
  "codecs.decode": ([value, encoding]) => decoded(value, encoding),
  "codecs.encode": ([value, encoding]) =>
    isText(encoding) && /rot/.test(encoding) ? decoded(value, encoding) : undefined,
  "urllib.parse.unquote": ([value]) => {
    try {
      return isText(value) ? decodeURIComponent(value) : undefined;
    } catch {
      return undefined;
    }
  },
  list: ([value]) => entries(value),
  tuple: ([value]) => entries(value),
  reversed: ([value]) => entries(value)?.toReversed(),
  "sys.intern": ([value]) => value,
};

function replaced(text: string, from: string, to: string): string | undefined {
  if (from === "" || text.split(from).length * to.length > 8192) return undefined;
  return text.replaceAll(from, () => to);
}

function formatted(
  format: string,
  given: readonly Folded[],
  keywords: ReadonlyMap<string, Folded>,
): string | undefined {
  let next = 0;
  let known = true;
  const text = format.replace(/\{\{|\}\}|\{([^{}]*)\}/g, (whole, field) => {
    if (field === undefined) return whole[0]!;
    const value = field === ""
      ? given[next++]
      : /^\d+$/.test(field)
      ? given[Number(field)]
      : keywords.get(field);
    if (value === undefined || typeof value === "object") known = false;
    return String(value);
  });
  return known ? text : undefined;
}

const METHODS: Record<string, (text: string, given: readonly Folded[]) => Folded | undefined> = {
  join: (text, [list]) => {
    const parts = entries(list);
    return parts?.every(isText) ? parts.join(text) : undefined;
  },
  replace: (text, [from, to]) => isText(from) && isText(to) ? replaced(text, from, to) : undefined,
  lower: (text) => text.toLowerCase(),
  casefold: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  swapcase: (text) =>
    text.replace(/[A-Za-z]/g, (c) => c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()),
  capitalize: (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase(),
  strip: (text, given) => stripped(text, given, true, true),
  lstrip: (text, given) => stripped(text, given, true, false),
  rstrip: (text, given) => stripped(text, given, false, true),
  removeprefix: (text, [part]) =>
    isText(part) && text.startsWith(part) ? text.slice(part.length) : text,
  removesuffix: (text, [part]) =>
    isText(part) && part !== "" && text.endsWith(part) ? text.slice(0, -part.length) : text,
  split: (text, [by]) => isText(by) && by !== "" ? text.split(by) : text.trim().split(/\s+/),
  encode: (text, [encoding]) =>
    isText(encoding) && /rot/i.test(encoding)
      ? rot13(text)
      : isText(encoding) && /latin|8859/i.test(encoding)
      ? latin1(text)
      : new TextEncoder().encode(text),
};

function stripped(text: string, given: readonly Folded[], left: boolean, right: boolean): string {
  const drop = isText(given[0]) ? given[0] : " \t\r\n\f\v";
  let start = 0;
  let end = text.length;
  while (left && start < end && drop.includes(text[start]!)) start++;
  while (right && end > start && drop.includes(text[end - 1]!)) end--;
  return text.slice(start, end);
}

function ofMethod(
  object: Folded,
  method: string,
  given: readonly Folded[],
  keywords: ReadonlyMap<string, Folded>,
): Folded | undefined {
  if (object instanceof Uint8Array) {
    if (method === "decode") return decoded(object, given[0] ?? keywords.get("encoding"));
    if (method === "hex") return object.toHex();
    if (method === "join") {
      const parts = entries(given[0])?.map((part) => bytesOf(part));
      const text = textOfBytes(object);
      if (parts === undefined || parts.includes(undefined) || text === undefined) return undefined;
      return latin1(parts.map((part) => String.fromCharCode(...part!)).join(text));
    }
    return undefined;
  }
  if (!isText(object)) return undefined;
  if (method === "format") return formatted(object, given, keywords);
  return Object.hasOwn(METHODS, method) ? METHODS[method]!(object, given) : undefined;
}

export function foldCall(names: PythonNames, node: SyntaxNode, folder: Folder): Folded | undefined {
  const callee = child(node, "function");
  if (callee === null) return undefined;
  const list = child(node, "arguments");
  const { positional, keywords: written } = list?.type === "generator_expression"
    ? { positional: [list], keywords: new Map<string, SyntaxNode>() }
    : argumentsOf(names.tree, node);
  const name = resolve(names, callee)?.replace(/^(builtins|__builtins__)\./, "") ?? "";
  if (name === "map" && positional.length === 2) {
    const inner = resolve(names, positional[0]!);
    const over = entries(folder.fold(positional[1]!));
    const by = inner !== null && Object.hasOwn(FUNCTIONS, inner) ? FUNCTIONS[inner]! : undefined;
    const results = by === undefined ? undefined : over?.map((each) => by([each]));
    return results?.includes(undefined) ? undefined : results as Folded[] | undefined;
  }
  const given = folder.all(positional);
  if (given === undefined) return undefined;
  const keywords = new Map<string, Folded>();
  for (const [key, value] of written) {
    const constant = folder.fold(value);
    if (constant !== undefined) keywords.set(key, constant);
  }
  if (Object.hasOwn(FUNCTIONS, name)) return FUNCTIONS[name]!(given);
  const method = callee.type === "attribute" ? child(callee, "attribute") : null;
  const holder = callee.type === "attribute" ? child(callee, "object") : null;
  if (method === null || holder === null) return undefined;
  if (textOf(names.tree, holder) === "str" && given.length > 0) {
    return ofMethod(given[0]!, textOf(names.tree, method), given.slice(1), keywords);
  }
  const object = folder.fold(holder);
  return object === undefined
    ? undefined
    : ofMethod(object, textOf(names.tree, method), given, keywords);
}
