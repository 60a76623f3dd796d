/**
 * JSON of tokens. Two readers of a text with a repeated key may see different values, so such
 * texts are refused (RFC 7519, 4) instead of read one way or the other.
 *
 * @module
 */

const LEXEME = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Whether an object anywhere in `text`, which must be valid JSON, has the same key twice. */
export function hasRepeatedKey(text: string): boolean {
  // One entry an open container: the keys of an object, null for an array.
  const open: (Set<string> | null)[] = [];
  let expectKey = false;
  for (const [lexeme] of text.matchAll(LEXEME)) {
    const keys = open.at(-1);
    if (lexeme === "{" || lexeme === "[") {
      open.push(lexeme === "{" ? new Set() : null);
      expectKey = lexeme === "{";
    } else if (lexeme === "}" || lexeme === "]") {
      open.pop();
      expectKey = false;
    } else if (lexeme === ",") {
      expectKey = keys instanceof Set;
    } else if (lexeme.startsWith('"') && expectKey && keys) {
      // Parsed, because "a" and "\u0061" are the same key.
      const key: string = JSON.parse(lexeme);
      if (keys.has(key)) return true;
      keys.add(key);
      expectKey = false;
    }
  }
  return false;
}

/** The object that `bytes` hold as JSON in UTF-8, or null when they hold anything else. */
export function parseObject(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    return hasRepeatedKey(text) ? null : value as Record<string, unknown>;
  } catch {
    return null;
  }
}
