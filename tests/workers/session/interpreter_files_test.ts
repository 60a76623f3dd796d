import { assertEquals, assertThrows } from "@std/assert";
import { testInterpreter } from "../../helpers/interpreter.ts";
import { limitMemory, loadInterpreter } from "../../../workers/session/interpreter_files.ts";

/** A module with one exported memory: 1 to 65,536 pages. */
function moduleBytes(): Uint8Array<ArrayBuffer> {
  const memory = [0x05, 0x06, 0x01, 0x01, 0x01, 0x80, 0x80, 0x04];
  const exported = [0x07, 0x05, 0x01, 0x01, 0x6d, 0x02, 0x00];
  return Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, ...memory, ...exported);
}

function memoryOf(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Memory {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  return instance.exports["m"] as WebAssembly.Memory;
}

Deno.test("limitMemory() lowers what the module may ever have", () => {
  const bytes = moduleBytes();
  limitMemory(bytes, 16);
  const memory = memoryOf(bytes);
  assertEquals(memory.grow(15), 1);
  assertThrows(() => memory.grow(1), RangeError);
});

Deno.test("limitMemory() keeps the module's own bounds", () => {
  const raised = moduleBytes();
  limitMemory(raised, 1_000_000);
  assertEquals(raised, moduleBytes());
  const below = moduleBytes();
  limitMemory(below, 0);
  assertThrows(() => memoryOf(below).grow(1), RangeError);
});

Deno.test("limitMemory() refuses a module whose memory has no maximum, or that has none", () => {
  const unlimited = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 3, 1, 0, 1);
  assertThrows(() => limitMemory(unlimited, 16), Error, "no memory with a maximum");
  assertThrows(() => limitMemory(unlimited.subarray(0, 8), 16), Error, "no memory with a maximum");
});

Deno.test("loadInterpreter() leaves the large zips to be read when they are needed", async () => {
  const { folder } = await testInterpreter();
  const { late, files, stdlib } = await (await loadInterpreter(folder, 4096)).read();
  assertEquals(stdlib, null);
  assertEquals(late.map(({ path }) => path).sort(), ["/lib/berth.zip", "/lib/python314.zip"]);
  for (const { source, size } of late) assertEquals((await Deno.stat(source)).size, size);
  assertEquals(files.filter(({ bytes }) => bytes.length > 512 * 1024).map(({ path }) => path), []);
});
