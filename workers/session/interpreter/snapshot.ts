/**
 * The stored form of a snapshot: an interpreter's memory and what belongs to it, or the difference
 * of one from another. A whole snapshot leaves out the pages that hold zeros only (more than half of
 * them), a difference those that are equal in its base. Layout, numbers unsigned 32 bits
 * little-endian: magic · bytes of the head · bytes of memory · number of runs · runs (first page,
 * pages) · head (JSON text, padded to 16) · the pages of the runs.
 *
 * @module
 */
import type { Library } from "./libraries.ts";

/** Gives the next `bytes` of a stored snapshot, or fewer at its end. */
type Take = (bytes: number) => Uint8Array<ArrayBuffer>;

/** What a snapshot has beside its memory. */
export interface SnapshotHead {
  /** Made up anew for each snapshot. */
  id: string;
  /** Id of the snapshot that it is the difference from; null: it is a whole one. */
  base: string | null;
  /** Pyodide's table of JavaScript values, as its restore takes it. */
  values: unknown;
  /** Where the stack of C code stands. */
  stack: number;
  /** Functions in the table. */
  functions: number;
  /** Places of these that callbacks of C had, and nothing has now. */
  freeCallbacks: number[];
  /** Milliseconds on its monotonic clock. */
  clock: number;
  /** Compiled modules in its memory, in the order in which they were loaded. */
  libraries: Library[];
}

/** A snapshot that is restored from its file, once. */
export interface OpenSnapshot {
  head: SnapshotHead;
  /** Bytes of linear memory it fills. */
  memoryBytes: number;
  /** As {@link restorePages}, read straight into `memory`; closes the file. */
  restore(memory: Uint8Array): void;
}

/** An open file that stands at its beginning. */
export interface SnapshotFile {
  readSync(into: Uint8Array): number | null;
  close(): void;
}

/** A stored snapshot that others are compared with: its pages stay in its file. */
export interface Layer {
  head: SnapshotHead;
  /** Runs of pages, in the order in which they are stored. */
  runs: Run[];
  /** Reads all pages once, a few at a time: the first of them, and their bytes. */
  read(visit: (page: number, bytes: Uint8Array<ArrayBuffer>) => void): void;
}

/** Pages that follow each other. */
export interface Run {
  page: number;
  pages: number;
}

/** A snapshot in memory, ready to be restored. */
export interface Snapshot {
  head: SnapshotHead;
  /** Bytes of linear memory it fills. */
  memoryBytes: number;
  /** First page, number of pages, and where they begin in `bytes`. */
  runs: { page: number; pages: number; at: number }[];
  bytes: Uint8Array<ArrayBuffer>;
}

const MAGIC = 0x32_50_53_42; // "BSP2"
/** Bytes that are looked at as one. */
export const PAGE = 4096;
const WORDS = PAGE / 8;
const FRONT = 16;
const HEAD_ALIGN = 16;

function padded(length: number): number {
  return Math.ceil(length / HEAD_ALIGN) * HEAD_ALIGN;
}

/** The 8-byte words of memory; linear memory is a whole number of pages. */
function wordsOf(memory: Uint8Array): BigUint64Array {
  return new BigUint64Array(memory.buffer, memory.byteOffset, memory.length / 8);
}

/** Where the pages of `snapshot` are in its bytes. */
function pagesOf(snapshot: Snapshot): Map<number, number> {
  const pages = new Map<number, number>();
  for (const run of snapshot.runs) {
    for (let i = 0; i < run.pages; i++) pages.set(run.page + i, run.at + i * PAGE);
  }
  return pages;
}

/** Whether a page has memory of the module. */
export function isIn(page: number, { memoryBase, memoryBytes }: Library): boolean {
  return page * PAGE < memoryBase + memoryBytes && (page + 1) * PAGE > memoryBase;
}

/** The pages that restoring must write: those that are not as `base`, or fresh memory, has them. */
function findRuns(
  memory: Uint8Array,
  libraries: readonly Library[],
  base: Snapshot | null,
): { page: number; pages: number }[] {
  const words = wordsOf(memory);
  const known = base === null ? new Map<number, number>() : pagesOf(base);
  const baseWords = base === null ? words : wordsOf(base.bytes.slice());
  function isKnown(page: number): boolean {
    const at = known.get(page);
    const first = page * WORDS;
    for (let i = 0; i < WORDS; i++) {
      if (words[first + i] !== (at === undefined ? 0n : baseWords[at / 8 + i])) return false;
    }
    return true;
  }
  const runs: { page: number; pages: number }[] = [];
  for (let page = 0; page * PAGE < memory.length; page++) {
    // Instantiating a library writes to its memory: that is not as in the base.
    if (isKnown(page) && !libraries.some((library) => isIn(page, library))) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.page + last.pages === page) last.pages++;
    else runs.push({ page, pages: 1 });
  }
  return runs;
}

/** The stored form of an interpreter's `memory`, as its difference from `base` if that is given. */
export function packSnapshot(
  head: SnapshotHead,
  memory: Uint8Array,
  base: Snapshot | null,
): Uint8Array<ArrayBuffer> {
  return packRuns(head, memory, findRuns(memory, head.libraries, base));
}

/** The stored form with these runs of pages of `memory`. */
export function packRuns(
  head: SnapshotHead,
  memory: Uint8Array,
  runs: readonly { page: number; pages: number }[],
): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(head));
  const pages = runs.reduce((sum, run) => sum + run.pages, 0);
  const headAt = FRONT + runs.length * 8;
  const pagesAt = padded(headAt + text.length);
  const packed = new Uint8Array(pagesAt + pages * PAGE);
  const view = new DataView(packed.buffer);
  [MAGIC, text.length, memory.length, runs.length].forEach((n, i) =>
    view.setUint32(i * 4, n, true)
  );
  packed.set(text, headAt);
  let at = pagesAt;
  runs.forEach((run, i) => {
    view.setUint32(FRONT + i * 8, run.page, true);
    view.setUint32(FRONT + i * 8 + 4, run.pages, true);
    packed.set(memory.subarray(run.page * PAGE, (run.page + run.pages) * PAGE), at);
    at += run.pages * PAGE;
  });
  return packed;
}

/** Reads what stands before the pages. */
function readFront(take: Take) {
  function exactly(bytes: number): Uint8Array<ArrayBuffer> {
    const taken = take(bytes);
    if (taken.length < bytes) throw new Error("The stored snapshot is cut short");
    return taken;
  }
  function numbers(count: number): number[] {
    const view = new DataView(exactly(count * 4).slice().buffer);
    return Array.from({ length: count }, (_, i) => view.getUint32(i * 4, true));
  }
  const [magic, headBytes, memoryBytes, count] = numbers(FRONT / 4) as [
    number,
    number,
    number,
    number,
  ];
  if (magic !== MAGIC) throw new Error("Not a stored snapshot of this version");
  const places = numbers(count * 2);
  const runs = Array.from({ length: count }, (_, i) => {
    const run = { page: places[2 * i]!, pages: places[2 * i + 1]! };
    if ((run.page + run.pages) * PAGE > memoryBytes) {
      throw new Error("The stored snapshot has pages beyond its memory");
    }
    return run;
  });
  const text = new TextDecoder().decode(exactly(headBytes));
  const headAt = FRONT + count * 8;
  const pagesAt = padded(headAt + headBytes);
  exactly(pagesAt - headAt - headBytes);
  return { head: JSON.parse(text) as SnapshotHead, memoryBytes, runs, pagesAt };
}

/** Reads the stored form; no page is copied. */
export function readSnapshot(bytes: Uint8Array<ArrayBuffer>): Snapshot {
  let taken = 0;
  const { pagesAt, runs, ...front } = readFront((count) => bytes.subarray(taken, taken += count));
  let at = pagesAt;
  const placed = runs.map((run) => {
    const found = { ...run, at };
    at += run.pages * PAGE;
    return found;
  });
  if (at > bytes.length) throw new Error("The stored snapshot is cut short");
  return { ...front, runs: placed, bytes };
}

/** Fills as much of `into` as `file` has left. @returns How many bytes those are. */
export function readFully(file: Omit<SnapshotFile, "close">, into: Uint8Array): number {
  let at = 0;
  while (at < into.length) {
    const count = file.readSync(into.subarray(at));
    if (count === null) break;
    at += count;
  }
  return at;
}

function taker(file: Omit<SnapshotFile, "close">): Take {
  return (count) => {
    const bytes = new Uint8Array(count);
    return bytes.subarray(0, readFully(file, bytes));
  };
}

/**
 * Reads a stored form but for its pages, which go from `file` to linear memory with no copy between:
 * twice as fast as by way of the host, and no buffer as large as the snapshot.
 */
export function openSnapshot(file: SnapshotFile): OpenSnapshot {
  const { runs, head, memoryBytes } = readFront(taker(file));
  return {
    head,
    memoryBytes,
    restore(memory) {
      for (const { page, pages } of runs) {
        const target = memory.subarray(page * PAGE, (page + pages) * PAGE);
        if (readFully(file, target) < target.length) {
          throw new Error("The stored snapshot is cut short");
        }
      }
      file.close();
    },
  };
}

/** Pages that are read at once to be compared. */
const PAGES_READ = 64;

/** Reads a stored form but for its pages, which are read when they are asked for. */
export function openLayer(file: Omit<SnapshotFile, "close">): Layer {
  const { runs, head } = readFront(taker(file));
  return {
    head,
    runs,
    read(visit) {
      const buffer = new Uint8Array(PAGES_READ * PAGE);
      for (const { page, pages } of runs) {
        for (let done = 0; done < pages; done += PAGES_READ) {
          const bytes = buffer.subarray(0, Math.min(PAGES_READ, pages - done) * PAGE);
          if (readFully(file, bytes) < bytes.length) {
            throw new Error("The stored snapshot is cut short");
          }
          visit(page + done, bytes);
        }
      }
    },
  };
}

/** Throws unless `difference` is one from the snapshot with the id `base`. */
export function assertBase(difference: SnapshotHead, base: string): void {
  if (difference.base !== base) throw new Error("The image was made for another snapshot");
}

/**
 * Writes the snapshot's pages into linear memory of at least `memoryBytes`: those of a whole one into
 * fresh (zeroed) memory, those of a difference after those of its base.
 */
export function restorePages(snapshot: Snapshot, memory: Uint8Array): void {
  for (const run of snapshot.runs) {
    memory.set(snapshot.bytes.subarray(run.at, run.at + run.pages * PAGE), run.page * PAGE);
  }
}
