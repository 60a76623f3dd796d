/**
 * The stored form of an interpreter's snapshot: what Pyodide's `makeMemorySnapshot` gives, without
 * the pages of its memory that hold zeros only (more than half of them). Layout, numbers unsigned
 * 32 bits little-endian: magic · bytes of the state · bytes of memory · number of runs · runs (first
 * page, pages) · state (JSON text, padded to 16) · the pages of the runs.
 *
 * @module
 */

const MAGIC = 0x31_50_53_42; // "BSP1"
const PYODIDE_MAGIC = 1_886_286_592;
const PYODIDE_STATE_AT = 48;
const PAGE = 4096;
const FRONT = 16;
const STATE_ALIGN = 16;

/** A snapshot ready to be restored. */
export interface Snapshot {
  /** Pyodide's table of JavaScript values, JSON text. */
  state: string;
  /** Bytes of linear memory it fills. */
  memoryBytes: number;
  /** First page, number of pages, and where they begin in `bytes`. */
  runs: { page: number; pages: number; at: number }[];
  bytes: Uint8Array<ArrayBuffer>;
}

function padded(length: number): number {
  return Math.ceil(length / STATE_ALIGN) * STATE_ALIGN;
}

function isZero(page: Uint8Array): boolean {
  if (page.byteLength % 8 !== 0 || page.byteOffset % 8 !== 0) return page.every((x) => x === 0);
  return new BigUint64Array(page.buffer, page.byteOffset, page.byteLength / 8).every((x) =>
    x === 0n
  );
}

function findRuns(memory: Uint8Array): { page: number; pages: number }[] {
  const runs: { page: number; pages: number }[] = [];
  for (let page = 0; page * PAGE < memory.length; page++) {
    if (isZero(memory.subarray(page * PAGE, (page + 1) * PAGE))) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.page + last.pages === page) last.pages++;
    else runs.push({ page, pages: 1 });
  }
  return runs;
}

/** The stored form of `raw`, a snapshot as Pyodide makes it. */
export function packSnapshot(raw: Uint8Array): Uint8Array<ArrayBuffer> {
  const source = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  if (source.getUint32(0, true) !== PYODIDE_MAGIC) throw new Error("Not a snapshot of Pyodide");
  const memory = raw.subarray(source.getUint32(4, true));
  const state = raw.subarray(PYODIDE_STATE_AT, PYODIDE_STATE_AT + source.getUint32(8, true));
  const runs = findRuns(memory);
  const pages = runs.reduce((sum, run) => sum + run.pages, 0);
  const stateAt = FRONT + runs.length * 8;
  const pagesAt = padded(stateAt + state.length);
  const packed = new Uint8Array(pagesAt + pages * PAGE);
  const view = new DataView(packed.buffer);
  [MAGIC, state.length, memory.length, runs.length].forEach((n, i) =>
    view.setUint32(i * 4, n, true)
  );
  packed.set(state, stateAt);
  let at = pagesAt;
  runs.forEach((run, i) => {
    view.setUint32(FRONT + i * 8, run.page, true);
    view.setUint32(FRONT + i * 8 + 4, run.pages, true);
    packed.set(memory.subarray(run.page * PAGE, (run.page + run.pages) * PAGE), at);
    at += run.pages * PAGE;
  });
  return packed;
}

/** Reads the stored form; no page is copied. */
export function readSnapshot(bytes: Uint8Array<ArrayBuffer>): Snapshot {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [magic, stateBytes, memoryBytes, count] = [0, 4, 8, 12].map((at) =>
    view.getUint32(at, true)
  );
  if (magic !== MAGIC) throw new Error("Not a stored snapshot");
  const stateAt = FRONT + count! * 8;
  let at = padded(stateAt + stateBytes!);
  const runs = Array.from({ length: count! }, (_, i) => {
    const run = {
      page: view.getUint32(FRONT + i * 8, true),
      pages: view.getUint32(FRONT + i * 8 + 4, true),
      at,
    };
    at += run.pages * PAGE;
    return run;
  });
  if (at > bytes.length) throw new Error("The stored snapshot is cut short");
  const state = new TextDecoder().decode(bytes.subarray(stateAt, stateAt + stateBytes!));
  return { state, memoryBytes: memoryBytes!, runs, bytes };
}

/** Writes the snapshot's pages into fresh (zeroed) linear memory of at least `memoryBytes`. */
export function restorePages(snapshot: Snapshot, memory: Uint8Array): void {
  for (const run of snapshot.runs) {
    memory.set(snapshot.bytes.subarray(run.at, run.at + run.pages * PAGE), run.page * PAGE);
  }
}
