/**
 * A tool's arguments, as users write them.
 *
 * @module
 */
import { parseExact } from "../../protocol/raw_json.ts";
import { usageError } from "../failure.ts";

/** As much of a JSON Schema as tells how to read a value. */
export interface ValueSchema {
  type?: string | string[] | undefined;
  anyOf?: unknown;
}

/** Types that a value may have; null where the schema does not say. */
function typesOf(schema: ValueSchema | undefined): string[] | null {
  if (schema === undefined) return null;
  if (typeof schema.type === "string") return [schema.type];
  if (Array.isArray(schema.type)) return schema.type;
  if (!Array.isArray(schema.anyOf)) return null;
  const types = schema.anyOf.map((one) => typesOf(one as ValueSchema));
  return types.every((one) => one !== null) ? types.flat() as string[] : null;
}

/** `text` as the schema wants it: JSON where it takes no texts, else as it is. */
export function parseValue(text: string, schema: ValueSchema | undefined): unknown {
  const types = typesOf(schema);
  if (types !== null && types.includes("string") && !(text === "null" && types.includes("null"))) {
    return text;
  }
  if (types?.includes("boolean") && /^(yes|no)$/i.test(text)) return /^yes$/i.test(text);
  try {
    const value = parseExact(text);
    // Without a schema only what cannot be meant as a text is taken for something else.
    return types === null && typeof value === "string" ? text : value;
  } catch {
    return text;
  }
}

/** `name=value` pairs by the tool's schema. */
export function parsePairs(
  pairs: string[],
  properties: Record<string, unknown>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 1) throw usageError(`Invalid argument "${pair}"`, "Use name=value");
    const name = pair.slice(0, at);
    const schema = Object.hasOwn(properties, name) ? properties[name] as ValueSchema : undefined;
    values[name] = parseValue(pair.slice(at + 1), schema);
  }
  return values;
}

/** A JSON object. @param what Names its source in messages. */
export function parseObject(text: string, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    throw usageError(`${what} is not JSON`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw usageError(`${what} is not a JSON object`);
}

/** A line's words, as shells split them: quotes and backslashes keep blanks. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (quote !== null) {
      if (character === quote) quote = null;
      else if (character === "\\" && quote === '"' && at + 1 < line.length) word += line[++at]!;
      else word += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (character === "\\" && at + 1 < line.length) word = (word ?? "") + line[++at]!;
    else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + character;
  }
  if (quote !== null) throw usageError(`Unclosed ${quote}`);
  if (word !== null) words.push(word);
  return words;
}
