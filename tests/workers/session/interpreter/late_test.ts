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

/** Late files of these lengths, as a host makes them. */
function lateFiles(...lengths: number[]) {
  const files = lengths.map((length, i) => ({
    path: `/lib/${i}.zip`,
    memory: new SharedArrayBuffer(length),
  }));
  return { files, there: new SharedArrayBuffer(4 * lengths.length) };
}

Deno.test("putLateFiles() shows a file's length, and asks for its content when that is read", () => {
  const late = lateFiles(3, 5);
  const { fs, node } = nodes();
  const asked: number[] = [];
  putLateFiles(fs, late, (file) => {
    asked.push(file);
    new Uint8Array(late.files[file]!.memory).fill(7);
    Atomics.store(new Int32Array(late.there), file, 1);
  });
  assertEquals([node("/lib/0.zip").usedBytes, node("/lib/1.zip").usedBytes], [3, 5]);
  assertEquals(asked, []);
  assertEquals([...node("/lib/1.zip").contents.subarray(0, 2)], [7, 7]);
  assertEquals(node("/lib/1.zip").contents.length, 5);
  // Once: the content is there from then on.
  assertEquals(asked, [1]);
});

Deno.test("putLateFiles() lets a file be written over before it was read", () => {
  const { fs, node } = nodes();
  putLateFiles(fs, lateFiles(3), () => {
    throw new Error("Nothing is to be asked for");
  });
  node("/lib/0.zip").contents = new Uint8Array([1]);
  assertEquals([...node("/lib/0.zip").contents], [1]);
});

Deno.test("putLateFiles() gives an error for a file that never comes", () => {
  const { fs, node } = nodes();
  putLateFiles(fs, lateFiles(3), () => {}, 1);
  assertThrows(() => node("/lib/0.zip").contents, Error, "did not give /lib/0.zip");
});
