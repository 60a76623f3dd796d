import { Buffer } from "node:buffer";
import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { createFrameReader, encodeFrame, type Frame, FrameError } from "../../workers/frames.ts";

const LIMITS = { head: 1000, body: 10_000 };

function bytesOf(...frames: Uint8Array[][]): Uint8Array {
  return new Uint8Array(Buffer.concat(frames.flat()));
}

function readAll(bytes: Uint8Array, step: number): Frame[] {
  const frames: Frame[] = [];
  const read = createFrameReader(LIMITS, (frame) => frames.push(frame));
  for (let at = 0; at < bytes.length; at += step) read(bytes.subarray(at, at + step));
  return frames;
}

Deno.test("createFrameReader() gives the frames whatever pieces they come in", () => {
  const body = Uint8Array.from({ length: 5000 }, (_, i) => i);
  const bytes = bytesOf(
    encodeFrame({ n: 1 }),
    encodeFrame({ n: 2, text: "å" }, body),
    encodeFrame({ n: 3 }),
  );
  for (const step of [1, 7, 8, 9, 100, bytes.length]) {
    const frames = readAll(bytes, step);
    assertEquals(frames.map((frame) => JSON.parse(frame.head)), [
      { n: 1 },
      { n: 2, text: "å" },
      { n: 3 },
    ]);
    assertEquals(frames.map((frame) => frame.body.length), [0, 5000, 0]);
    assertEquals(frames[1]!.body, body);
  }
});

Deno.test("createFrameReader() refuses a frame that announces more than the limits", () => {
  for (const lengths of [[1001, 0], [2, 10_001], [2 ** 32 - 1, 0]]) {
    const read = createFrameReader(LIMITS, () => {});
    assertThrows(() => read(new Uint8Array(Uint32Array.from(lengths).buffer)), FrameError);
  }
});

Deno.test("createFrameReader() gives bodies whose buffer is theirs alone", () => {
  const chunk = Buffer.from(
    bytesOf(encodeFrame({}, Uint8Array.of(1, 2)), encodeFrame({ last: 1 })),
  );
  const heads: string[] = [];
  const read = createFrameReader(LIMITS, (frame) => {
    heads.push(frame.head);
    assertNotEquals(frame.body.buffer, chunk.buffer);
    // As the host does with the body of an HTTP answer.
    structuredClone(frame.body, { transfer: [frame.body.buffer as ArrayBuffer] });
  });
  read(chunk);
  read(bytesOf(encodeFrame({ more: 1 })));
  assertEquals(heads, ["{}", '{"last":1}', '{"more":1}']);
});
