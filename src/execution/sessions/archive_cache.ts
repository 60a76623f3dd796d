/**
 * Files of archives that sessions run, unpacked once: the second session of a server does not
 * unpack again. The bytes are checked against their digest first, so that what was scanned is what
 * runs.
 *
 * @module
 */
import { AppError } from "../../errors.ts";

/** Files by POSIX path below the selected folder. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** Where archives come from. */
export interface ArchiveDeps {
  /** The stored archive of a digest, null when there is none. */
  loadArchive: (sha256: string) => Promise<Uint8Array | null>;
  /** Unpacks the folder of an archive. */
  readArchive: (archive: Uint8Array, folder: string) => Promise<Files>;
  /** Bounds how many archives are loaded and unpacked at once. */
  room?: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Gives the files of an archive's folder. */
export type ArchiveCache = (sha256: string, folder: string) => Promise<Files>;

const ENTRIES_MAX = 16;
const BYTES_MAX = 256 * 1024 * 1024;

interface Entry {
  files: Promise<Files>;
  /** 0 until unpacked. */
  bytes: number;
}

/** A cache that keeps the archives used last. */
export function archiveCache(deps: ArchiveDeps): ArchiveCache {
  const entries = new Map<string, Entry>();
  const room = deps.room ?? ((work) => work());

  function trim() {
    let bytes = [...entries.values()].reduce((sum, entry) => sum + entry.bytes, 0);
    for (const [key, entry] of entries) {
      if (entries.size <= ENTRIES_MAX && bytes <= BYTES_MAX) return;
      entries.delete(key);
      bytes -= entry.bytes;
    }
  }

  return (sha256, folder) => {
    const key = `${sha256} ${folder}`;
    const known = entries.get(key);
    if (known !== undefined) {
      // Moves to the end: the entries at the front are those not used for longest.
      entries.delete(key);
      entries.set(key, known);
      return known.files;
    }
    const entry: Entry = { files: room(() => unpack(deps, sha256, folder)), bytes: 0 };
    entries.set(key, entry);
    entry.files.then((files) => {
      for (const content of files.values()) entry.bytes += content.byteLength;
      trim();
    }, () => entries.delete(key));
    return entry.files;
  };
}

async function unpack(deps: ArchiveDeps, sha256: string, folder: string): Promise<Files> {
  const archive = await deps.loadArchive(sha256);
  if (archive === null) {
    throw new AppError("internal", "Internal server error", {
      cause: new Error(`The archive ${sha256} is missing`),
    });
  }
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(archive));
  if (new Uint8Array(digest).toHex() !== sha256) {
    throw new AppError("internal", "Internal server error", {
      cause: new Error(`The archive ${sha256} has a different digest`),
    });
  }
  return await deps.readArchive(archive, folder);
}
