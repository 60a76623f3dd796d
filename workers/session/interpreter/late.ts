/**
 * Files that an interpreter gets when it reads them. Most sessions import nothing but what the
 * snapshot holds, and need neither the standard library's zip nor Berth's: 4 MB each.
 *
 * Reading a file must not wait for a message, so the host writes into memory that both have, and
 * wakes the thread that sleeps meanwhile. Each interpreter has memory of its own, which takes nothing
 * until it is written to.
 *
 * @module
 */

/** A file that an interpreter gets when Python first reads it. */
export interface LateFile {
  /** In the interpreter's file system, absolute. */
  path: string;
  /** As long as the file. */
  memory: SharedArrayBuffer;
}

/** What the host writes late, and how the interpreter sees that it is written. */
export interface LateFiles {
  files: LateFile[];
  /** For each of them 32 bits, which are not 0 when it is there. */
  there: SharedArrayBuffer;
}

/** What of Emscripten's file system is used: nodes whose content is a property. */
export interface NodeSystem {
  writeFile(path: string, bytes: Uint8Array): void;
  lookupPath(path: string): { node: { usedBytes: number } };
}

/** A host that is busy for longer is about to be ended. */
const PATIENCE_MS = 60_000;

/** Puts `late` into `fs`; `ask` has the host write the file with this number. */
export function putLateFiles(
  fs: NodeSystem,
  { files, there }: LateFiles,
  ask: (file: number) => void,
  patienceMs = PATIENCE_MS,
): void {
  const flags = new Int32Array(there);
  for (const [i, { path, memory }] of files.entries()) {
    fs.writeFile(path, new Uint8Array(0));
    const { node } = fs.lookupPath(path);
    const bytes = new Uint8Array(memory);
    node.usedBytes = bytes.length;
    const become = (contents: Uint8Array) =>
      Object.defineProperty(node, "contents", { value: contents, writable: true });
    Object.defineProperty(node, "contents", {
      configurable: true,
      get() {
        ask(i);
        if (Atomics.wait(flags, i, 0, patienceMs) === "timed-out") {
          throw new Error(`The host did not give ${path}`);
        }
        become(bytes);
        return bytes;
      },
      set: become,
    });
  }
}
