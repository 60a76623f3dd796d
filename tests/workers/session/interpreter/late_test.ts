import { assertEquals, assertThrows } from "@std/assert";
import { type NodeSystem, putLateFiles } from "../../../../workers/session/interpreter/late.ts";

interface Node {
  contents: Uint8Array;
  usedBytes: number;
}

/** A file system like Emscripten's, of which only nodes are there. */
function nodes() {
  const all = new Map<string, Node>();
  const fs: NodeSystem = {
    writeFile: (path, bytes) => void all.set(path, { contents: bytes, usedBytes: bytes.length }),
    lookupPath: (path) => ({ node: all.get(path)! }),
  };
  return { fs, node: (path: string) => all.get(path)! };
}

/** Files of these contents, and what is done with them. */
function files(contents: Record<string, number[]>) {
  const done: string[] = [];
  return {
    done,
    open(path: string) {
      let left = Uint8Array.from(contents[path]!);
      done.push(`open ${path}`);
      return {
        readSync(into: Uint8Array) {
          // A piece at a time, as files may give them.
          const piece = left.subarray(0, Math.min(2, into.length));
          left = left.subarray(piece.length);
          into.set(piece);
          return piece.length === 0 ? null : piece.length;
        },
        close: () => void done.push(`close ${path}`),
      };
    },
  };
}

const LATE = [
  { path: "/lib/a.zip", source: "a", size: 3 },
  { path: "/lib/b.zip", source: "b", size: 5 },
];

Deno.test("putLateFiles() shows a file's length, and reads its content once, when that is asked for", () => {
  const { fs, node } = nodes();
  const { open, done } = files({ a: [1, 2, 3], b: [1, 2, 3, 4, 5] });
  putLateFiles(fs, LATE, open);
  assertEquals([node("/lib/a.zip").usedBytes, node("/lib/b.zip").usedBytes], [3, 5]);
  assertEquals(done, ["open a", "open b"]);
  assertEquals([...node("/lib/b.zip").contents], [1, 2, 3, 4, 5]);
  assertEquals([...node("/lib/b.zip").contents], [1, 2, 3, 4, 5]);
  assertEquals(done, ["open a", "open b", "close b"]);
});

Deno.test("putLateFiles() lets a file be written over before it was read", () => {
  const { fs, node } = nodes();
  const { open, done } = files({ a: [1, 2, 3], b: [] });
  putLateFiles(fs, LATE, open);
  node("/lib/a.zip").contents = new Uint8Array([7]);
  assertEquals([...node("/lib/a.zip").contents], [7]);
  assertEquals(done, ["open a", "open b", "close a"]);
});

Deno.test("putLateFiles() gives an error for a file that is shorter than it was", () => {
  const { fs, node } = nodes();
  putLateFiles(fs, LATE, files({ a: [1, 2, 3], b: [1, 2, 3] }).open);
  assertThrows(() => node("/lib/b.zip").contents, Error, "/lib/b.zip is cut short");
});
