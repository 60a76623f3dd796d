import { Buffer } from "node:buffer";
import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import {
  createFrameReader,
  encodeFrame,
  type Frame,
  FrameError,
  type FrameLimits,
} from "../../../workers/wire/frames.ts";

const LIMITS = { head: 1000, body: 10_000 };

function bytesOf(...frames: Uint8Array[][]): Uint8Array {
  return new Uint8Array(Buffer.concat(frames.flat()));
}

function readAll(bytes: Uint8Array, step = bytes.length, limits: FrameLimits = LIMITS): Frame[] {
  const frames: Frame[] = [];
  const read = createFrameReader(limits, (frame) => frames.push(frame));
  for (let at = 0; at < bytes.length; at += step) read(bytes.subarray(at, at + step));
  return frames;
}

Deno.test("createFrameReader() gives the frames whatever pieces they come in", () => {
  const body = Uint8Array.from({ length: 5000 }, (_, i) => i);
  const bytes = bytesOf(
    encodeFrame({ n: 1 }),
    encodeFrame({ n: 2, text: "å" }, body),
    encodeFrame({ n: 3 }, body.subarray(0, 7), body.subarray(7, 7), body.subarray(7)),
    encodeFrame({ n: 4 }),
  );
  for (const step of [1, 7, 8, 9, 100, bytes.length]) {
    const frames = readAll(bytes, step);
    assertEquals(frames.map(({ head }) => head), [
      { n: 1 },
      { n: 2, text: "å" },
      { n: 3 },
      { n: 4 },
    ]);
    assertEquals(frames.map((frame) => frame.body.length), [0, 5000, 5000, 0]);
    assertEquals(frames[1]!.body, body);
    assertEquals(frames[2]!.body, body);
  }
});

Deno.test("encodeFrame() copies small bodies behind their head, and no large ones", () => {
  const [small, large] = [new Uint8Array(1000).fill(1), new Uint8Array(70_000).fill(2)];
  assertEquals(encodeFrame({}, small, small).length, 1);
  const pieces = encodeFrame({}, small, large);
  assertEquals(pieces.length, 3);
  assertEquals(pieces[2]!.buffer, large.buffer);
  const [frame] = readAll(bytesOf(pieces), 4096, { head: 1000, body: 100_000 });
  assertEquals(frame!.body, bytesOf([small, large]));
});

Deno.test("createFrameReader() refuses a frame that announces more than the limits", () => {
  for (const lengths of [[1001, 0], [2, 10_001], [2 ** 32 - 1, 0], [0, 2 ** 32 - 1]]) {
    const announced = new Uint8Array(Uint32Array.from(lengths).buffer);
    assertThrows(() => readAll(announced), FrameError);
  }
});

Deno.test("createFrameReader() refuses a head that is not JSON or has too many values", () => {
  for (const text of ["", "{]}", "{", "\xc3("]) {
    const bytes = bytesOf([Uint8Array.of(text.length, 0, 0, 0, 0, 0, 0, 0)], [
      Uint8Array.from(text, (character) => character.charCodeAt(0)),
    ]);
    assertThrows(() => readAll(bytes), FrameError, "not JSON");
  }
  const limits = { ...LIMITS, json: { values: 10, depth: 3 } };
  for (const head of [Array.from({ length: 11 }, () => 1), [[[[]]]], { a: { b: { c: {} } } }]) {
    const bytes = bytesOf(encodeFrame(head));
    assertThrows(() => readAll(bytes, bytes.length, limits), FrameError, "too many values");
  }
  const few = bytesOf(encodeFrame({ a: '\\"[[[[,,,,,,,,,,,,', b: [1, 2, "\\"] }));
  assertEquals(readAll(few, few.length, limits).length, 1);
});

Deno.test("createFrameReader() gives bodies whose buffer is theirs alone", () => {
  const chunk = Buffer.from(
    bytesOf(encodeFrame({}, Uint8Array.of(1, 2)), encodeFrame({ last: 1 })),
  );
  const heads: unknown[] = [];
  const read = createFrameReader(LIMITS, (frame) => {
    heads.push(frame.head);
    assertNotEquals(frame.body.buffer, chunk.buffer);
    // As the host does with the body of an HTTP answer.
    structuredClone(frame.body, { transfer: [frame.body.buffer as ArrayBuffer] });
  });
  read(chunk);
  read(bytesOf(encodeFrame({ more: 1 })));
  assertEquals(heads, [{}, { last: 1 }, { more: 1 }]);
});
