/**
 * Ids of a client's requests that the library cannot carry: integers that JavaScript would round.
 * Towards the endpoint they have a name in their place.
 *
 * @module
 */
import { rawNumber } from "../../protocol/raw_json.ts";
import { numberText } from "./exact.ts";

/** Replaces ids on their way out, and puts them back on their way in. */
export interface IdMap {
  /** A message of the client, its id and the one that it cancels replaced where they must be. */
  replaced(message: unknown): unknown;
  /** A message for the client, with its own id. */
  restored(message: unknown): unknown;
}

const PREFIX = "berth-integer:";
const INTEGER = /^-?\d+$/;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function createIdMap(): IdMap {
  const texts = new Map<string, string>();

  function nameOf(id: unknown): unknown {
    const text = numberText(id);
    if (text === null || !INTEGER.test(text)) return id;
    texts.set(PREFIX + text, text);
    return PREFIX + text;
  }

  return {
    replaced(message) {
      if (!isObject(message)) return message;
      const { id, method, params } = message;
      if (method === "notifications/cancelled" && isObject(params)) {
        return { ...message, params: { ...params, requestId: nameOf(params["requestId"]) } };
      }
      return id === undefined ? message : { ...message, id: nameOf(id) };
    },
    restored(message) {
      const id = isObject(message) ? message["id"] : undefined;
      const text = typeof id === "string" ? texts.get(id) : undefined;
      if (text === undefined) return message;
      texts.delete(id as string);
      return { ...message as Record<string, unknown>, id: rawNumber(text) };
    },
  };
}
