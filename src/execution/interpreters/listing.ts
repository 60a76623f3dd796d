/**
 * Bounds on what a server lists: clients hand tools and their schemas to a model, so a list that is
 * too long is an error that says so, not a list that was cut.
 *
 * @module
 */
import { MAX_LIST_BYTES, MAX_LISTED, MAX_LISTED_BYTES } from "../../../workers/session/limits.ts";
import { entriesOf, listedBy, nameOf } from "../../protocol/lists.ts";
import type { RawJson } from "../../protocol/raw_json.ts";
import type { CallOutcome } from "./types.ts";

const NAMES: Record<string, string> = { resourceTemplates: "resource templates" };
const INTERNAL_ERROR = -32603;
const KB = 1024;
const MB = 1024 * KB;
const NAME_SHOWN = 100;
/** What a result may have beside its list: cursor and metadata. */
const ENVELOPE_BYTES = 256 * KB;

function overBound(message: string, limit: number): CallOutcome {
  const data = { reason: "list_too_large", limit };
  return { kind: "error", code: INTERNAL_ERROR, message, data };
}

function tooLarge(what: string, bytes: number): CallOutcome {
  const text = `The server lists ${what} of ${Math.ceil(bytes / MB)} MiB: the limit is ${
    MAX_LIST_BYTES / MB
  } MiB per page`;
  return overBound(text, MAX_LIST_BYTES);
}

function shownName(method: string, entry: RawJson): string {
  const name = nameOf(method, entry);
  return name === null ? "unnamed" : JSON.stringify(name.slice(0, NAME_SHOWN));
}

/** `outcome`, or an error that names the limit when the list in it is over one. */
export function boundedListing(method: string, outcome: CallOutcome): CallOutcome {
  const key = listedBy(method);
  if (key === null || outcome.kind !== "result") return outcome;
  const what = NAMES[key] ?? key;
  const size = outcome.result.bytes.length;
  if (size > MAX_LIST_BYTES + ENVELOPE_BYTES) return tooLarge(what, size);
  const entries = entriesOf(method, outcome.result, MAX_LISTED);
  if (entries === "twice") return overBound(`The server returned the list of ${what} twice`, 1);
  if (entries === null) return outcome;
  if (entries.length > MAX_LISTED) {
    const text = `The server lists too many ${what}: the limit is ${MAX_LISTED} per page`;
    return overBound(text, MAX_LISTED);
  }
  let total = 0;
  for (const entry of entries) {
    const bytes = entry.bytes.length;
    total += bytes;
    if (bytes <= MAX_LISTED_BYTES) continue;
    const text = `The server lists ${what} with an entry (${shownName(method, entry)}) of ${
      Math.ceil(bytes / KB)
    } KiB: the limit for an entry with its schemas is ${MAX_LISTED_BYTES / KB} KiB`;
    return overBound(text, MAX_LISTED_BYTES);
  }
  return total <= MAX_LIST_BYTES ? outcome : tooLarge(what, total);
}
