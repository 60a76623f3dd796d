import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  controlOf,
  createRing,
  RingError,
  ringReader,
  ringWriter,
} from "../../../workers/wire/ring.ts";

const WRITTEN = 0;
const READ = 1;

function bytesFrom(first: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => first + i);
}

Deno.test("bytes come out of a ring as they went in, also around its end", () => {
  const memory = createRing();
  const [write, reader] = [ringWriter(memory), ringReader(memory)];
  for (let round = 0; round < 100; round++) {
    const sent = [bytesFrom(round, 700), bytesFrom(round, 1), bytesFrom(round, 301)];
    for (const piece of sent) assert(write(piece));
    assertEquals([...reader.take()!], sent.flatMap((piece) => [...piece]));
    assertEquals(reader.take(), null);
  }
});

Deno.test("ringWriter() refuses what there is no room for, of which nothing is written", () => {
  const memory = createRing();
  const [write, reader] = [ringWriter(memory), ringReader(memory)];
  let count = 0;
  while (write(bytesFrom(count, 1000))) count++;
  assert(count > 1);
  assertEquals(reader.take()!.length, count * 1000);
  assert(write(bytesFrom(7, 1000)));
  assertEquals(reader.take(), bytesFrom(7, 1000));
});

Deno.test("what a ring gives is not changed by what is written later", () => {
  const memory = createRing();
  const [write, reader] = [ringWriter(memory), ringReader(memory)];
  write(bytesFrom(1, 10));
  const taken = reader.take()!;
  new Uint8Array(memory).fill(255);
  assertEquals(taken, bytesFrom(1, 10));
});

Deno.test("the ends of a ring believe no count that cannot be", () => {
  for (const count of [-1, 2 ** 31 - 1, -(2 ** 31), 33 * 1024]) {
    const memory = createRing();
    const reader = ringReader(memory);
    const write = ringWriter(memory);
    Atomics.store(controlOf(memory), WRITTEN, count);
    assertThrows(() => reader.take(), RingError);
    Atomics.store(controlOf(memory), READ, -count);
    assertThrows(() => write(bytesFrom(0, 1)), RingError);
  }
});

Deno.test("who waits for a ring is told of what is written, and woken", async () => {
  const memory = createRing();
  const [write, reader] = [ringWriter(memory), ringReader(memory)];
  // Waiting alone does not keep a process.
  const keep = setInterval(() => {}, 1000);
  const waiting = reader.written();
  write(bytesFrom(0, 3));
  await waiting;
  assertEquals(reader.written(), null);
  assertEquals(reader.take()!.length, 3);
  const woken = reader.written();
  reader.wake();
  await woken;
  clearInterval(keep);
});
