/**
 * A session host: a process without permissions whose Web Workers run the sessions of one
 * registered server. It only passes messages between them and the main process (file descriptor
 * 3), and does not look into what they say. It may be taken over by what it runs, so the main
 * process believes nothing it sends.
 *
 * @module
 */
import { Socket } from "node:net";
import { createFrameReader, encodeFrame, type Frame } from "./wire/frames.ts";
import { loadInterpreter } from "./host_interpreter.ts";
import { createHostSessions } from "./host_sessions.ts";
import type { HostCommand, HostMessage } from "./protocol.ts";

const CHANNEL = 3;
const decoder = new TextDecoder();
const ANY_SIZE = { head: 2 ** 31, body: 2 ** 31 };

const channel = new Socket({ fd: CHANNEL, readable: true, writable: true });
const sessions = createHostSessions(send);

function send(head: HostMessage, body?: Uint8Array): void {
  for (const piece of encodeFrame(head, ...(body === undefined ? [] : [body]))) {
    channel.write(piece);
  }
}

/** The pieces of a body that holds several files one after the other. */
function files(list: { path: string; bytes: number }[], body: Uint8Array) {
  let at = 0;
  return list.map(({ path, bytes }) => {
    const piece = body.slice(at, at + bytes);
    at += bytes;
    return { path, bytes: piece };
  });
}

async function obey(command: HostCommand, body: Uint8Array): Promise<void> {
  switch (command.type) {
    case "init":
      return await sessions.init(loadInterpreter(command.interpreter, command.memory_pages));
    case "boot":
      return sessions.boot(command.session);
    case "open":
      return sessions.open(command.session, command.options, files(command.files, body));
    case "call":
      return sessions.call(command.session, command.call, decoder.decode(body));
    case "interrupt":
      return sessions.interrupt(command.session, command.call);
    case "ask_done":
      return sessions.askDone(command.session, command.request, decoder.decode(body));
    case "http_done":
      return sessions.httpDone(command.session, command.request, command.meta, body);
    case "end":
      return sessions.end(command.session);
    case "prepare":
      return sessions.prepare(command.task, files(command.files, body));
  }
}

function onFrame(frame: Frame): void {
  obey(frame.head as HostCommand, frame.body).catch((error) => {
    send({ type: "fault", message: String(error).slice(0, 2000) });
  });
}

// The main process is gone: nothing here may outlive it.
channel.on("close", () => Deno.exit(0));
channel.on("error", () => Deno.exit(1));
const read = createFrameReader(ANY_SIZE, onFrame);
channel.on("data", (chunk: Uint8Array) => read(chunk));
