/**
 * A session host: a process without permissions whose Web Workers are the interpreters of one user's
 * sessions of one registered server. It only passes messages between them and the main process
 * (file descriptor 3), and does not look into what they say. It may be taken over by what it runs,
 * so the main process believes nothing it sends.
 *
 * @module
 */
import { Socket } from "node:net";
import { createFrameReader, encodeFrame } from "../wire/frames.ts";
import { createInterpreters } from "./interpreters.ts";
import { type FromHost, readHead, TO_HOST } from "./messages.ts";

const CHANNEL = 3;
// The main process is trusted.
const ANY_SIZE = { head: 2 ** 31, body: 2 ** 31 };

const channel = new Socket({ fd: CHANNEL, readable: true, writable: true });
// Loaded when it is needed. Only this module may: workers get none of Node's.
const interpreters = createInterpreters(send, () => import("node:zlib"));

// Deno gives memory back at this signal; should it not know that, the signal must not end the process.
if (Deno.build.os === "linux") Deno.addSignalListener("SIGUSR2", () => {});

function send(message: FromHost, body?: Uint8Array): void {
  for (const piece of encodeFrame(message, ...(body === undefined ? [] : [body]))) {
    channel.write(piece);
  }
}

async function obey(head: unknown, body: Uint8Array): Promise<void> {
  const message = readHead(TO_HOST, head);
  if (message === null) throw new TypeError("Not a message to a session host");
  await interpreters.obey(message, body);
}

// The main process is gone: nothing here may outlive it.
channel.on("close", () => Deno.exit(0));
channel.on("error", () => Deno.exit(1));
const read = createFrameReader(ANY_SIZE, ({ head, body }) => {
  obey(head, body).catch((error) => {
    send({ type: "fault", message: String(error).slice(0, 2000) });
  });
});
channel.on("data", (chunk: Uint8Array) => read(chunk));
