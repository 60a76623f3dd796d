/**
 * The worker of the embedded database: PGlite (PostgreSQL compiled to WebAssembly) in a folder,
 * with real synchronisation to disk, reached through message ports that carry PostgreSQL's wire
 * protocol.
 *
 * @module
 */
/// <reference lib="deno.worker" />
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { fsyncSync, statfsSync } from "node:fs";
import { Bridge } from "./backend_sharing.ts";
import type { EmbeddedReply, EmbeddedRequest } from "./embedded_protocol.ts";

// PGlite starts with "-F" (no fsync) and a shared buffer of 128 MB. The operating system caches
// the same files, so a small buffer costs little and saves memory and start time.
const START_PARAMS = [
  ...PGlite.defaultStartParams.filter((param) => param !== "-F"),
  "-c",
  "wal_sync_method=fsync",
  "-c",
  "shared_buffers=16MB",
  "-c",
  "min_wal_size=32MB",
];

/**
 * Bytes that stay free. The write-ahead log grows by segments of 16 MB, and PostgreSQL ends for good
 * where there is no room for the next; what writes otherwise fails and can be tried again.
 */
const RESERVE_BYTES = 64 * 1024 * 1024;

/** Whether the disk of `folder` has only the reserve left. */
function isFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < RESERVE_BYTES;
}

/** The part of Emscripten's file system that has to be corrected. */
interface EmscriptenFiles {
  filesystems: {
    NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } };
  };
}

function reply(message: EmbeddedReply) {
  self.postMessage(message);
}

function failure(error: unknown, isFull: boolean) {
  const message = error instanceof Error ? error.message : String(error);
  reply({ type: "failed", message, isFull });
}

async function openFolder(folder: string): Promise<PGlite> {
  const db = await PGlite.create({
    dataDir: folder,
    extensions: { pg_trgm },
    startParams: START_PARAMS,
  });
  // Emscripten's NODEFS leaves fsync out: without this a commit is not on disk when it returns.
  const files = db.Module.FS as unknown as EmscriptenFiles;
  files.filesystems.NODEFS.stream_ops.fsync = (stream) => {
    fsyncSync(stream.nfd);
    return 0;
  };
  return db;
}

let database: PGlite | null = null;
let bridge: Bridge | null = null;

function connect(port: MessagePort) {
  const connection = bridge!.connect(port);
  port.onmessage = (event) => {
    if (event.data === null) connection.disconnect();
    else connection.receive(event.data as Uint8Array);
  };
}

async function handle(request: EmbeddedRequest) {
  if (request.type === "open") {
    const db = await openFolder(request.folder);
    database = db;
    bridge = new Bridge(
      (messages) => db.execProtocolRaw(messages),
      (error) => failure(error, isFull(request.folder)),
      () => isFull(request.folder),
    );
    reply({ type: "opened" });
  } else if (request.type === "connect") connect(request.port);
  else {
    await database?.close();
    reply({ type: "closed" });
  }
}

self.onmessage = (event: MessageEvent<EmbeddedRequest>) => {
  const { data } = event;
  handle(data).catch((error) => failure(error, data.type === "open" && isFull(data.folder)));
};
