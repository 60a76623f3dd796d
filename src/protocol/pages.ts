/**
 * Pages of the lists of a server. A server that pages by itself keeps its own cursors; of one that
 * gives everything at once, long lists are cut here. A cursor names the entry that the page before
 * ended with, so what is added or removed elsewhere neither repeats nor hides an entry.
 *
 * @module
 */
import { z } from "zod";
import type { Params } from "./json_rpc.ts";

/** Most entries of a page that Berth cuts. */
export const PAGE_MAX = 500;

/** Where a method's result has its entries, and what names one. */
const LISTS: Record<string, { entries: string; key: string }> = {
  "tools/list": { entries: "tools", key: "name" },
  "resources/list": { entries: "resources", key: "uri" },
  "resources/templates/list": { entries: "resourceTemplates", key: "uriTemplate" },
  "prompts/list": { entries: "prompts", key: "name" },
};

/** A cursor of Berth's own: the method, and the key and number of the last entry shown. */
const Cursor = z.tuple([z.string(), z.string(), z.int().min(0)]);
type Cursor = z.infer<typeof Cursor>;

const PREFIX = "berth.";

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
  return Object.hasOwn(LISTS, method);
}

/** Reads the cursor of a request for a list. */
export function pageRequest(method: string, params: Params): PageRequest {
  const cursor = params["cursor"] ?? null;
  if (cursor === null) return { kind: "first" };
  if (typeof cursor !== "string") return { kind: "bad" };
  if (!cursor.startsWith(PREFIX)) return { kind: "foreign" };
  const decoded = decodeCursor(cursor);
  if (decoded === null || decoded[0] !== method) return { kind: "bad" };
  return { kind: "after", key: decoded[1], index: decoded[2] };
}

function keyOf(entry: unknown, key: string): string {
  return String((entry as Params | null)?.[key]);
}

/** Where the page after the entry with `key` begins. */
function startOf(entries: unknown[], page: PageRequest, key: string): number {
  if (page.kind !== "after") return 0;
  // Two entries may have one key: where it was is looked at first.
  const at = keyOf(entries[page.index], key) === page.key
    ? page.index
    : entries.findIndex((entry) => keyOf(entry, key) === page.key);
  // The entry has gone: the one that took its place has not been shown.
  return at < 0 ? Math.min(page.index, entries.length) : at + 1;
}

/** The page of `result`, which has the whole list; as it is when it fits or is no list. */
export function pageOf(
  method: string,
  result: Params,
  page: PageRequest,
  size: number = PAGE_MAX,
): Params {
  const list = LISTS[method];
  const entries = list && result[list.entries];
  if (list === undefined || !Array.isArray(entries)) return result;
  const start = startOf(entries, page, list.key);
  const end = start + size;
  if (start === 0 && end >= entries.length) return result;
  const shown = { ...result, [list.entries]: entries.slice(start, end) };
  if (end >= entries.length) return shown;
  return {
    ...shown,
    nextCursor: encodeCursor([method, keyOf(entries[end - 1], list.key), end - 1]),
  };
}
