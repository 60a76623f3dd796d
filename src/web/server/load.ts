/**
 * A server with what its pages show of it, and what the visitor may do.
 *
 * @module
 */
import { findIconDigest } from "../../documents/icons.ts";
import { AppError } from "../../errors.ts";
import { archiveCache } from "../../execution/sessions/archive_cache.ts";
import type { ServerDetail } from "../../registry/schema.ts";
import { readArchive, type RepositoryFiles } from "../../repository/archive.ts";
import { loadArchive } from "../../repository/archives.ts";
import { createRoom } from "../../repository/room.ts";
import type { PageRequest } from "../layout/context.ts";
import type { WebServices } from "../services.ts";

/** What the visitor may do with a server. */
export interface Rights {
  /** Change, scan again, remove. */
  change: boolean;
  /** Give away. */
  own: boolean;
}

export interface LoadedServer {
  server: ServerDetail;
  etag: string;
  rights: Rights;
  /** Digest of its icon; null where it has none. */
  icon: string | null;
}

async function isAllowed(check: Promise<void>): Promise<boolean> {
  try {
    await check;
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status === 403) return false;
    throw error;
  }
}

/** What the visitor may do with the server of that name. */
export async function rightsOf(
  { visitor, services }: PageRequest,
  name: string,
): Promise<Rights> {
  const { caller } = visitor;
  if (caller === null) return { change: false, own: false };
  const { registry, transfers } = services.app;
  return {
    change: await isAllowed(registry.authorizeChange(caller, name)),
    own: await isAllowed(transfers.authorizeOffer(caller, name)),
  };
}

/** The server that the address names. @throws {AppError} `not_found`. */
export async function loadServer(request: PageRequest): Promise<LoadedServer> {
  const name = request.c.req.param("name") ?? "";
  const { sql, app } = request.services;
  const { server, etag } = await app.registry.get(name, request.visitor.caller);
  const icon = await findIconDigest(sql, server.source);
  return { server, etag, icon, rights: await rightsOf(request, name) };
}

/** Archives that are unpacked for pages at once, and that wait for it. */
const UNPACKING = { places: 1, waiting: 16 };

/** The files that were scanned, unpacked once. @throws {AppError} `unavailable` when many are asked for. */
export type ScannedFiles = (server: ServerDetail) => Promise<RepositoryFiles>;

/** Reads the files of servers. */
export function scannedFiles({ sql, objects }: Pick<WebServices, "sql" | "objects">): ScannedFiles {
  const room = createRoom(UNPACKING);
  const cache = archiveCache({
    loadArchive: (sha256) => loadArchive(sql, sha256, objects),
    readArchive,
    room,
  });
  return ({ source }) => cache(source.archive_sha256, source.folder);
}
