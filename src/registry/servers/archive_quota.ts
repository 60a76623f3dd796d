/**
 * How much of the database one user's archives may take. Administrators have no such limit.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";
import { archivesTooLarge, tooManyServers } from "../failures.ts";

/** What one user may have stored. */
export interface ArchiveLimits {
  servers: number;
  /** Compressed bytes of the archives of these servers. */
  bytes: number;
}

/** Far above what a person publishes: forty archives of the largest size. */
const ARCHIVE_LIMITS: ArchiveLimits = { servers: 2_000, bytes: 2_000_000_000 };

export interface ArchiveRoom {
  owner: string;
  /** The server whose archive it becomes; null before there is one. */
  server: string | null;
  /** Its size; 0 while it is not known. */
  bytes: number;
}

/** Whether the server's present archive is as large: then nothing more is taken. */
async function takesNoMore(sql: Queryable, { server, bytes }: ArchiveRoom): Promise<boolean> {
  if (server === null) return false;
  const rows = await sql`
    select 1 from servers join archives on sha256 = archive_sha256
    where name = ${server} and size >= ${bytes}`;
  return rows.length > 0;
}

/**
 * Checks, before it is stored, that there is room for an archive.
 *
 * @throws {AppError} `conflict` when its owner has too many servers, or too many bytes.
 */
export async function checkArchiveRoom(
  sql: Queryable,
  room: ArchiveRoom,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): Promise<void> {
  if (await takesNoMore(sql, room)) return;
  const [row] = await sql<[{ servers: number; bytes: number }]>`
    select count(*)::int as servers, coalesce(sum(size), 0)::float8 as bytes
    from servers join archives on sha256 = archive_sha256
    where owner = ${room.owner} and name is distinct from ${room.server}`;
  if (row.servers + 1 > limits.servers) throw tooManyServers(limits.servers);
  if (row.bytes + room.bytes > limits.bytes) throw archivesTooLarge(limits.bytes);
}
