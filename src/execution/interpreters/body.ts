/**
 * Reads the JSON in a frame's body, which may be anything: no more of it than its head.
 *
 * @module
 */
import { MAX_RESULT_BYTES } from "../../../workers/session/limits.ts";
import { RawJson } from "../../protocol/raw_json.ts";

// An outcome's own fields come on top of the result.
const MAX_BYTES = MAX_RESULT_BYTES + 1024;
/** Python's own encoder gives up earlier; far deeper values overflow the stack of what reads them. */
const MAX_DEPTH = 1000;
// What a session says goes into event streams as it is. Python's encoder writes no line ends.
const BOUNDS = { depth: MAX_DEPTH, lineEnds: false };

function checked(text: RawJson | string, body: Uint8Array): RawJson {
  if (text instanceof RawJson) return text;
  throw new Error(`A body of ${body.length} bytes that is not valid JSON: ${text}`);
}

/**
 * The JSON text that `body` is; the event loop turns while a large one is checked.
 *
 * @throws {Error} When it is too long, too deep or no JSON: no honest host sends that.
 */
export async function bodyText(body: Uint8Array): Promise<RawJson> {
  if (body.length > MAX_BYTES) throw new Error(`An outcome of ${body.length} bytes`);
  return checked(await RawJson.readInTurns(body, BOUNDS), body);
}

/** As {@link bodyText}, at once: for bodies that are small. */
export function smallBodyText(body: Uint8Array): RawJson {
  return checked(RawJson.read(body, BOUNDS), body);
}

function scalarOf(raw: RawJson): unknown {
  if (raw.isString) return raw.string();
  if (raw.isObject || raw.isList) return raw;
  return raw.integer() ?? JSON.parse(raw.text());
}

/**
 * The members with these names: texts, numbers and the like as they are, lists and objects, and
 * whatever `raw` names, as text.
 *
 * @throws {Error} When a name is there twice.
 */
export function headOf(text: RawJson, names: readonly string[], raw: string): {
  [name: string]: unknown;
} {
  const members = text.pickOnce(...names, raw);
  if (members === null) throw new Error("A message with a duplicate member");
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) =>
      [name, name === raw ? value : scalarOf(value!)] as const
    ),
  );
}

/** What `raw` gave {@link headOf}; null for nothing. */
export function rawMember(value: unknown): RawJson | null {
  return value instanceof RawJson && !value.isNull ? value : null;
}
