/**
 * Entity tags of records (RFC 9110, 8.8.3): strong, from the content.
 *
 * @module
 */
import { serverStale } from "../failures.ts";
import type { ServerDetail } from "../schema.ts";

/** The strong tag of a record in detail form, with its quotes. */
export async function etagOf(server: ServerDetail): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(server));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `"${digest.toBase64({ alphabet: "base64url", omitPadding: true })}"`;
}

/** What the tag of a compressed response has after the record's. */
const CODING = /\.(?:br|gzip)"$/;

/**
 * Whether `ifMatch` lets a change of what has `etag` happen. Weak tags never match; those of
 * compressed responses name the same record.
 */
export function matches(ifMatch: string, etag: string): boolean {
  return ifMatch.split(",").map((tag) => tag.trim())
    .some((tag) => tag === "*" || tag.replace(CODING, '"') === etag);
}

/**
 * Checks the condition of a change.
 *
 * @throws {AppError} `stale` when the record is no longer what the client saw.
 */
export async function checkIfMatch(
  ifMatch: string | undefined,
  server: ServerDetail,
): Promise<void> {
  if (ifMatch === undefined || matches(ifMatch, await etagOf(server))) return;
  throw serverStale(server.name);
}
