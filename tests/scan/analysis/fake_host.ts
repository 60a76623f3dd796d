/**
 * A host that misbehaves as its files say: each file's content is what it does on that file.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { Socket } from "node:net";
import { createFrameReader, encodeFrame } from "../../../workers/wire/frames.ts";

const channel = new Socket({ fd: 3, readable: true, writable: true });
let served = 0;
let unsent: Uint8Array[] = [];

function say(message: unknown): void {
  unsent.push(...encodeFrame(message));
}

/**
 * Sends what was said, all at once: on a machine that stops for a while, no file but the one that
 * hangs must seem to take long.
 */
function send(): Promise<void> {
  const bytes = Buffer.concat(unsent);
  unsent = [];
  return new Promise((resolve) => channel.write(bytes, () => resolve()));
}

interface Request {
  id: number;
  threads: number;
  files: { path: string; size: number }[];
}

async function run({ id, threads, files }: Request, body: Uint8Array): Promise<void> {
  served++;
  let at = 0;
  if (threads > 1 && files.some(({ path }) => path.startsWith("side_by_side"))) {
    for (const [thread, { path }] of files.slice(0, threads).entries()) {
      say({ type: "file", id, file: path, thread });
    }
    // All but the first have no file any more.
    if (files.at(-1)!.path === "side_by_side_hangs.py") {
      for (let thread = 1; thread < threads; thread++) {
        say({ type: "file", id, file: null, thread });
      }
      await send();
      for (;;);
    }
    await send();
    Deno.exit(7);
  }
  for (const { path, size } of files) {
    const order = new TextDecoder().decode(body.subarray(at, at += size));
    say({ type: "file", id, file: path, thread: 0 });
    if (["loop", "crash", "grow", "babble"].includes(order)) await send();
    if (order === "loop") { for (;;); }
    if (order === "crash") Deno.exit(7);
    if (order === "throw") {
      say({ type: "threw", id, file: path, reason: "overflow" });
      return await send();
    }
    if (order === "print") {
      Deno.stdout.writeSync(new TextEncoder().encode("noise that must not reach the frames"));
    }
    if (order === "babble") {
      const noise = new Uint8Array(1 << 16).fill(97);
      for (;;) Deno.stderr.writeSync(noise);
    }
    if (order === "lie") say({ type: "done", id, result: 1, not_analysable: "no" });
    if (order === "huge") unsent.push(new Uint8Array(8).fill(255));
    if (order === "stale") say({ type: "done", id: id + 1, result: "x", not_analysable: [] });
    if (order === "grow") {
      // Not for ever, as nobody knows how soon it is seen.
      const held = Array.from({ length: 12 }, () => new Uint8Array(50_000_000).fill(1));
      for (;;) held.forEach((one) => one.fill(2));
    }
  }
  say({
    type: "done",
    id,
    result: { pid: Deno.pid, served, files: files.map(({ path }) => path) },
    not_analysable: [],
  });
  await send();
}

let running = Promise.resolve();
const read = createFrameReader({ head: 1e6, body: 1e6 }, ({ head, body }) => {
  running = running.then(() => run(head as Request, body));
});
channel.on("data", (chunk: Uint8Array) => read(chunk));
channel.on("end", () => Deno.exit(0));
say({ type: "ready" });
await send();
