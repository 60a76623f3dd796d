/**
 * Cursors of the audit log: the id of a page's last entry, bound to the filters. Entries are never
 * inserted before others, so a page is the same whenever it is asked for.
 *
 * @module
 */
import { z } from "zod";
import { AppError } from "../errors.ts";

const Cursor = z.strictObject({
  filter: z.string(),
  // Beyond what JavaScript numbers hold exactly there are no ids for a long time.
  id: z.int().positive(),
});

/** A digest of what selects the entries of a list. */
async function filterDigest(filters: Record<string, unknown>): Promise<string> {
  const text = JSON.stringify(Object.entries(filters).sort(([a], [b]) => a < b ? -1 : 1));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex().slice(0, 12);
}

/** The cursor of the page behind the entry `id`. */
export async function encodeCursor(filters: Record<string, unknown>, id: number): Promise<string> {
  const text = JSON.stringify({ filter: await filterDigest(filters), id });
  return new TextEncoder().encode(text).toBase64({ alphabet: "base64url", omitPadding: true });
}

function parse(cursor: string): z.infer<typeof Cursor> | null {
  try {
    const bytes = Uint8Array.fromBase64(cursor, { alphabet: "base64url" });
    const parsed = Cursor.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/**
 * The id behind which the page begins; null without a cursor.
 *
 * @throws {AppError} `invalid_request` for a cursor that is broken or of another list.
 */
export async function decodeCursor(
  filters: Record<string, unknown>,
  cursor: string | undefined,
): Promise<number | null> {
  if (cursor === undefined) return null;
  const found = parse(cursor);
  if (found !== null && found.filter === await filterDigest(filters)) return found.id;
  throw new AppError("invalid_request", "The cursor is not one of this list", {
    errors: [{ path: "cursor", message: "must be next_cursor of the page before, unchanged" }],
  });
}
