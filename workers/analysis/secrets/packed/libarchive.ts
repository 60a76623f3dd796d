/**
 * The files in 7-Zip and RAR archives, read by libarchive (BSD) in WebAssembly. Its readers of RAR
 * are its own.
 *
 * @module
 */
import { crc32 } from "node:zlib";
import { packageOnDemand } from "../../on_demand.ts";
import type { Entry } from "./containers.ts";
import { collector } from "./decompress.ts";

const libarchive = packageOnDemand<typeof import("libarchive-wasm")>("libarchive-wasm");

const CHUNK = 65_536;
/** Bytes before the content of a 7-Zip archive; the last fields say where its list is. */
const SEVEN_ZIP_HEADER = 32;
const DAMAGED = "it is damaged, or its format is not supported";
const REGULAR_FILE = 0o100000;

interface Engine {
  _malloc(size: number): number;
  _free(pointer: number): void;
  _archive_read_new_memory(bytes: number, size: number, passphrase: number): number;
  _archive_read_data(archive: number, into: number, size: number): number;
  _archive_read_free(archive: number): number;
  HEAPU8: Uint8Array;
}

/** Whether the list at the end of a 7-Zip archive is there and whole: libarchive does not say. */
function hasList(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < SEVEN_ZIP_HEADER) return false;
  const from = SEVEN_ZIP_HEADER + Number(view.getBigUint64(12, true));
  const to = from + Number(view.getBigUint64(20, true));
  return to <= bytes.length && crc32(bytes.subarray(from, to)) === view.getUint32(28, true);
}

/**
 * Files of the archive. An engine serves one archive: what a hostile one damages, and the memory
 * that it took, goes with it.
 *
 * @param limit What a file may unfold to, asked anew for each.
 */
export async function* libarchiveEntries(
  bytes: Uint8Array,
  limit: () => number,
): AsyncGenerator<Entry> {
  if (bytes[0] === 0x37 && !hasList(bytes)) throw new Error(DAMAGED);
  const library = await libarchive().libarchiveWasm();
  const engine = library.module as unknown as Engine;
  const input = engine._malloc(bytes.length);
  const chunk = engine._malloc(CHUNK);
  // Each look at the memory is a new one: it moves when it grows.
  engine.HEAPU8.set(bytes, input);
  const archive = engine._archive_read_new_memory(input, bytes.length, 0);
  if (archive === 0) throw new Error(DAMAGED);

  /** The content of the entry that was read last. */
  function content(): Uint8Array {
    const { write, done } = collector(limit());
    for (;;) {
      const read = engine._archive_read_data(archive, chunk, CHUNK);
      if (read < 0) throw new Error(reason());
      if (read === 0) return done();
      write(engine.HEAPU8.subarray(chunk, chunk + read));
    }
  }
  function reason(): string {
    const said = library.error_string(archive);
    // Its words hold nothing of the content, but may hold names.
    return said === "" ? "it is damaged" : said.replace(/[^\x20-\x7e]/g, "?").slice(0, 100);
  }

  try {
    for (let entries = 0;; entries++) {
      const entry = library.read_next_entry(archive);
      if (entry === 0) {
        // It gives the same for the end and for a fault, which it then has a word about.
        if (library.error_string(archive) !== "") throw new Error(reason());
        if (entries === 0) throw new Error(DAMAGED);
        return;
      }
      const path = library.entry_pathname(entry) || "(unnamed)";
      if (library.entry_filetype(entry) !== REGULAR_FILE) continue;
      if (library.entry_is_encrypted(entry) !== 0) yield `${path} is encrypted`;
      else yield { path, bytes: content() };
    }
  } finally {
    engine._archive_read_free(archive);
  }
}
