/**
 * The files of an interpreter's file system that a parked session has to keep: those that do not come
 * again from elsewhere as they are.
 *
 * @module
 */
import type { Pyodide } from "../boot.ts";
import type { FileChanges } from "../start.ts";
import { Stays } from "./stays.ts";

/** Watches which files are the interpreter's own. */
export interface SessionFiles {
  /** These files come again whenever the session wakes. */
  given(paths: readonly string[]): void;
  /** @throws {Stays} When something is open, or is no file, folder or link. */
  changes(): { changes: FileChanges; contents: Uint8Array[] };
  /** Makes the files as they were, once those that are given have been. */
  restore(changes: FileChanges, contents: Uint8Array): void;
  /** Has the files that are given from now on, and were, carry this time of change. */
  setStamp(stamp: number): void;
}

/** A node of Emscripten's file system in memory. */
interface Node {
  mode: number;
  mtime: number;
  usedBytes: number;
  contents: Uint8Array | Record<string, Node>;
  link?: string;
  mounted?: unknown;
}

interface FileSystem {
  root: Node;
  streams: (object | null)[];
  cwd(): string;
  chdir(path: string): void;
  isFile(mode: number): boolean;
  isDir(mode: number): boolean;
  isLink(mode: number): boolean;
  lookupPath(path: string): { node: Node };
  mkdirTree(path: string): void;
  writeFile(path: string, bytes: Uint8Array, options: { canOwn: boolean }): void;
  unlink(path: string): void;
  rmdir(path: string): void;
  symlink(target: string, path: string): void;
}

/** What is known of a node that comes again. */
type Known = Pick<Node, "mode" | "mtime" | "usedBytes"> & { node: Node };

/** The bits of a mode that tell files, folders and links apart. */
const KIND = 0o170000;
/** Devices, and what stands for processes. */
const NOT_FILES = new Set(["/dev", "/proc"]);

function parentsOf(path: string): string[] {
  const parents = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    parents.push(path.slice(0, at));
  }
  return parents;
}

function* walk(
  fs: FileSystem,
  folder: Node,
  at: string,
): Generator<[path: string, node: Node]> {
  for (const [name, node] of Object.entries(folder.contents as Record<string, Node>)) {
    const path = `${at}/${name}`;
    if (NOT_FILES.has(path)) continue;
    yield [path, node];
    if (fs.isDir(node.mode)) yield* walk(fs, node, path);
  }
}

function restoreFiles(fs: FileSystem, changes: FileChanges, contents: Uint8Array): void {
  for (const path of changes.removed) {
    if (fs.isDir(fs.lookupPath(path).node.mode)) fs.rmdir(path);
    else fs.unlink(path);
  }
  for (const { path } of changes.folders) fs.mkdirTree(path);
  let at = 0;
  for (const { path, bytes, mode, mtime } of changes.files) {
    fs.writeFile(path, contents.slice(at, at += bytes), { canOwn: true });
    Object.assign(fs.lookupPath(path).node, { mode, mtime });
  }
  for (const { path, target } of changes.links) fs.symlink(target, path);
  // Once nothing has to be written into them.
  const folders = changes.folders.map(({ path, mode }) => ({
    mode,
    node: fs.lookupPath(path).node,
  }));
  fs.chdir(changes.cwd);
  for (const { node, mode } of folders) node.mode = mode;
}

/** The files of an interpreter that has just booted; what is there now comes again by itself. */
export function watchFiles({ FS }: Pyodide): SessionFiles {
  const fs = FS as unknown as FileSystem;
  const known = new Map<string, Known>();
  const streams = new Set(fs.streams);
  // No write gives a file half a millisecond.
  let stamp = Date.now() + 0.5;

  function know(path: string, node: Node): void {
    const { mode, mtime, usedBytes } = node;
    known.set(path, { node, mode, mtime: fs.isDir(mode) ? 0 : mtime, usedBytes });
  }

  function isKnown(path: string, node: Node): boolean {
    const it = known.get(path);
    if (it === undefined || it.node !== node || it.mode !== node.mode) return false;
    return fs.isDir(node.mode) || it.mtime === node.mtime && it.usedBytes === node.usedBytes;
  }

  for (const [path, node] of walk(fs, fs.root, "")) know(path, node);

  return {
    given(paths) {
      for (const path of paths) {
        const { node } = fs.lookupPath(path);
        node.mtime = stamp;
        know(path, node);
        for (const parent of parentsOf(path)) {
          if (known.has(parent)) break;
          know(parent, fs.lookupPath(parent).node);
        }
      }
    },
    changes() {
      if (fs.streams.some((stream) => stream && !streams.has(stream))) throw new Stays("file");
      const missing = new Set(known.keys());
      const changes: FileChanges = {
        stamp,
        cwd: fs.cwd(),
        folders: [],
        links: [],
        files: [],
        removed: [],
      };
      const contents: Uint8Array[] = [];
      for (const [path, node] of walk(fs, fs.root, "")) {
        const before = known.get(path)?.mode ?? node.mode;
        // What is of another kind now comes again, and is in the way then.
        if (((before ^ node.mode) & KIND) === 0) missing.delete(path);
        if (isKnown(path, node)) continue;
        const { mode, mtime, usedBytes: bytes } = node;
        if (node.mounted) throw new Stays("file");
        if (fs.isDir(mode)) changes.folders.push({ path, mode });
        else if (fs.isLink(mode)) changes.links.push({ path, target: node.link ?? "" });
        else if (fs.isFile(mode)) {
          changes.files.push({ path, bytes, mode, mtime });
          contents.push((node.contents as Uint8Array).subarray(0, bytes));
        } else throw new Stays("file");
      }
      changes.removed = [...missing].sort().reverse();
      return { changes, contents };
    },
    restore: (changes, contents) => restoreFiles(fs, changes, contents),
    setStamp: (value) => void (stamp = value),
  };
}
