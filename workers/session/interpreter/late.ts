/**
 * Files that an interpreter reads when they are needed. Most sessions import nothing but what the
 * snapshot holds, and need neither the standard library's zip nor Berth's: together 4 MB.
 *
 * They are opened before foreign code runs, which can open none.
 *
 * @module
 */
import { readFully, type SnapshotFile } from "./snapshot.ts";

/** A file of the interpreter's folder, and where it seems to be in the interpreter. */
export interface LateFile {
  /** In the interpreter's file system, absolute. */
  path: string;
  /** Path of the file that has its content. */
  source: string;
  size: number;
}

/** What of Emscripten's file system is used: nodes whose content is a property. */
export interface NodeSystem {
  writeFile(path: string, bytes: Uint8Array): void;
  lookupPath(path: string): { node: { usedBytes: number } };
}

/** Puts `files` into `fs`; each is opened now and read when its content is asked for. */
export function putLateFiles(
  fs: NodeSystem,
  files: readonly LateFile[],
  open: (path: string) => SnapshotFile,
): void {
  for (const { path, source, size } of files) {
    const file = open(source);
    fs.writeFile(path, new Uint8Array(0));
    const { node } = fs.lookupPath(path);
    node.usedBytes = size;
    const become = (contents: Uint8Array) =>
      Object.defineProperty(node, "contents", { value: contents, writable: true });
    Object.defineProperty(node, "contents", {
      configurable: true,
      get() {
        const bytes = new Uint8Array(size);
        if (readFully(file, bytes) < size) throw new Error(`${path} is cut short`);
        file.close();
        become(bytes);
        return bytes;
      },
      set(contents: Uint8Array) {
        file.close();
        become(contents);
      },
    });
  }
}
