/**
 * A host that misbehaves as its files say: each file's content is what it does on that file.
 *
 * @module
 */
import { Socket } from "node:net";
import { createFrameReader, encodeFrame } from "../../../workers/analysis_frames.ts";

const channel = new Socket({ fd: 3, readable: true, writable: true });
const read = createFrameReader({ header: 1e6, body: 1e6 });
let served = 0;

function send(message: unknown): Promise<void> {
  return new Promise((resolve) => {
    const parts = encodeFrame(message);
    parts.forEach((part, i) =>
      channel.write(part, i === parts.length - 1 ? () => resolve() : undefined)
    );
  });
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
      await send({ type: "file", id, file: path, thread });
    }
    // All but the first have no file any more.
    if (files.at(-1)!.path === "side_by_side_hangs.py") {
      for (let thread = 1; thread < threads; thread++) {
        await send({ type: "file", id, file: null, thread });
      }
      for (;;);
    }
    Deno.exit(7);
  }
  for (const { path, size } of files) {
    const order = new TextDecoder().decode(body.subarray(at, at += size));
    await send({ type: "file", id, file: path, thread: 0 });
    if (order === "loop") { for (;;); }
    if (order === "crash") Deno.exit(7);
    if (order === "throw") return send({ type: "threw", id, file: path, reason: "overflow" });
    if (order === "print") {
      Deno.stdout.writeSync(new TextEncoder().encode("noise that must not reach the frames"));
    }
    if (order === "lie") await send({ type: "done", id, result: 1, not_analysable: "no" });
    if (order === "huge") channel.write(new Uint8Array(8).fill(255));
    if (order === "stale") {
      await send({ type: "done", id: id + 1, result: "x", not_analysable: [] });
    }
    if (order === "grow") {
      const held: Uint8Array[] = [];
      for (;;) {
        held.push(new Uint8Array(50_000_000).fill(1));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
  }
  await send({
    type: "done",
    id,
    result: { pid: Deno.pid, served, files: files.map(({ path }) => path) },
    not_analysable: [],
  });
}

channel.on("data", async (chunk: Uint8Array) => {
  for (const { header, body } of read(chunk)) await run(header as Request, body);
});
channel.on("end", () => Deno.exit(0));
await send({ type: "ready" });
