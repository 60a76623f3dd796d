/**
 * Pages of the lists of a server. A server that pages by itself keeps its own cursors; of one that
 * gives everything at once, long lists are cut here. A cursor names the entry that the page before
 * ended with, so what is added or removed elsewhere neither repeats nor hides an entry.
 *
 * @module
 */
import { z } from "zod";
import type { Params } from "./json_rpc.ts";
import { entriesOf, listedBy, nameOf, withEntries } from "./lists.ts";
import type { RawJson } from "./raw_json.ts";

/** Most entries of a page that Berth cuts. */
export const PAGE_MAX = 500;

/** A cursor of Berth's own: the method, and the key and number of the last entry shown. */
const Cursor = z.tuple([z.string(), z.string(), z.int().min(0)]);
type Cursor = z.infer<typeof Cursor>;

const PREFIX = "berth.";
const CURSOR_MAX_BYTES = 1024 * 1024;

function encodeCursor(cursor: Cursor): string {
  const bytes = new TextEncoder().encode(JSON.stringify(cursor));
  return PREFIX + bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

function decodeCursor(text: string): Cursor | null {
  try {
    const bytes = Uint8Array.fromBase64(text.slice(PREFIX.length), { alphabet: "base64url" });
    return Cursor.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch {
    return null;
  }
}

/** Which part of a list a client asks for. */
export type PageRequest =
  | { kind: "first" }
  | { kind: "after"; key: string; index: number }
  /** A cursor that Berth did not make. */
  | { kind: "foreign" }
  | { kind: "bad" };

/** Whether the method gives a list in pages. */
export function isPaged(method: string): boolean {
  return listedBy(method) !== null;
}

/** Reads the cursor of a request for a list. */
export function pageRequest(method: string, params: Params): PageRequest {
  const given = params.member("cursor");
  if (given === undefined || given.isNull) return { kind: "first" };
  const cursor = given.string(CURSOR_MAX_BYTES);
  if (cursor === null) return { kind: "bad" };
  if (!cursor.startsWith(PREFIX)) return { kind: "foreign" };
  const decoded = decodeCursor(cursor);
  if (decoded === null || decoded[0] !== method) return { kind: "bad" };
  return { kind: "after", key: decoded[1], index: decoded[2] };
}

/** Where the page after the entry with `key` begins. */
function startOf(names: (index: number) => string, count: number, page: PageRequest): number {
  if (page.kind !== "after") return 0;
  // Two entries may have one key: where it was is looked at first.
  if (page.index < count && names(page.index) === page.key) return page.index + 1;
  for (let at = 0; at < count; at++) if (names(at) === page.key) return at + 1;
  // The entry has gone: the one that took its place has not been shown.
  return Math.min(page.index, count);
}

/**
 * The page of `result`, which has the whole list; as it is when it fits or is no list.
 */
export function pageOf(
  method: string,
  result: RawJson,
  page: PageRequest,
  size: number = PAGE_MAX,
): RawJson {
  const entries = entriesOf(method, result, Infinity);
  if (!Array.isArray(entries)) return result;
  const names = (index: number) => nameOf(method, entries[index]!) ?? "";
  const start = startOf(names, entries.length, page);
  const end = start + size;
  if (start === 0 && end >= entries.length) return result;
  const shown = entries.slice(start, end);
  if (end >= entries.length) return withEntries(method, result, shown);
  const cursor = encodeCursor([method, names(end - 1), end - 1]);
  return withEntries(method, result, shown, cursor);
}
