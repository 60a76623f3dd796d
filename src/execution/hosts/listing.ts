/**
 * Bounds on what a server lists: clients hand tools and their schemas to a model, so a list that is
 * too long is an error that says so, not a list that was cut.
 *
 * @module
 */
import { MAX_LIST_BYTES, MAX_LISTED, MAX_LISTED_BYTES } from "../../../workers/limits.ts";
import type { CallOutcome } from "./types.ts";

/** Methods, and what they list. */
const LISTS: Record<string, string> = {
  "tools/list": "tools",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
  "prompts/list": "prompts",
};
const NAMES: Record<string, string> = { resourceTemplates: "resource templates" };
const INTERNAL_ERROR = -32603;
const KB = 1024;
const MB = 1024 * KB;
const NAME_SHOWN = 100;

function tooLarge(message: string, limit: number): CallOutcome {
  const data = { reason: "list_too_large", limit };
  return { kind: "error", code: INTERNAL_ERROR, message, data };
}

function entriesOf(key: string, result: unknown): unknown[] {
  if (typeof result !== "object" || result === null) return [];
  const entries = (result as Record<string, unknown>)[key];
  return Array.isArray(entries) ? entries : [];
}

function nameOf(entry: unknown): string {
  const { name } = Object(entry) as { name?: unknown };
  return typeof name === "string" ? JSON.stringify(name.slice(0, NAME_SHOWN)) : "without a name";
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** `outcome`, or an error that names the limit when the list in it is over one. */
export function boundedListing(method: string, outcome: CallOutcome): CallOutcome {
  const key = LISTS[method];
  if (key === undefined || outcome.kind !== "result") return outcome;
  const entries = entriesOf(key, outcome.result);
  const what = NAMES[key] ?? key;
  if (entries.length > MAX_LISTED) {
    const text = `The server lists ${entries.length} ${what}: the limit is ${MAX_LISTED} a page`;
    return tooLarge(text, MAX_LISTED);
  }
  let total = 0;
  for (const entry of entries) {
    const bytes = bytesOf(entry);
    total += bytes;
    if (bytes <= MAX_LISTED_BYTES) continue;
    const text = `The server lists ${what} with an entry (${nameOf(entry)}) of ${
      Math.ceil(bytes / KB)
    } KiB: the limit for one with its schemas is ${MAX_LISTED_BYTES / KB} KiB`;
    return tooLarge(text, MAX_LISTED_BYTES);
  }
  if (total <= MAX_LIST_BYTES) return outcome;
  const text = `The server lists ${what} of ${Math.ceil(total / MB)} MiB: the limit is ${
    MAX_LIST_BYTES / MB
  } MiB a page`;
  return tooLarge(text, MAX_LIST_BYTES);
}
