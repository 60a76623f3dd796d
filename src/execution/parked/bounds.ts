/**
 * The room in the database for what is parked.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";

/** Most bytes in the database. */
export interface StoreBounds {
  maxBytes: number;
  /** Of one client. */
  maxClientBytes: number;
}

/** Share of the room that one client may have. */
const CLIENT_SHARE = 0.5;

/** Bounds of the database's share, most of which is for other clients than any one. */
export function storeBounds(maxBytes: number): StoreBounds {
  return { maxBytes, maxClientBytes: CLIENT_SHARE * maxBytes };
}

/** Bytes that are parked. */
interface ParkedBytes {
  all: number;
  images: number;
  /** Of one client, its images included. */
  own: number;
}

/** Whether `bytes` more of that client are within bounds. */
export function isWithin(
  { all, own }: ParkedBytes,
  bytes: number,
  { maxBytes, maxClientBytes }: StoreBounds,
): boolean {
  return all + bytes <= maxBytes && own + bytes <= maxClientBytes;
}

/** What the database has of sessions and images. */
export async function parkedBytes(sql: Queryable, client: string): Promise<ParkedBytes> {
  const [sums] = await sql<[{ sessions: number; images: number; own: number }]>`
    select
      (select coalesce(sum(size), 0) from parked_sessions)::float8 as sessions,
      (select coalesce(sum(size), 0) from parked_images)::float8 as images,
      ((select coalesce(sum(size), 0) from parked_sessions where client = ${client})
        + (select coalesce(sum(size), 0) from parked_images where client = ${client}))::float8
        as own`;
  const { sessions, images, own } = sums;
  return { all: sessions + images, images, own };
}
