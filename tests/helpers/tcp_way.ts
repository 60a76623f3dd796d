/**
 * A way to a TCP port that a test may cut, slow down, or turn elsewhere.
 *
 * @module
 */
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "./berth_process.ts";

/** It passes on what comes, unless it is cut. */
export interface TcpWay extends AsyncDisposable {
  port: number;
  /** Connections end, and none comes about. */
  cut(): void;
  /** Nothing comes through, and nobody is told. */
  stall(): void;
  /** What comes is passed on later, in order. @param ms 0: at once again. */
  slow(ms: number): void;
  /** Each connection ends in the midst of what comes back, after so many bytes of it. */
  cutAfter(bytes: number): void;
  /** What comes back is lost, and nobody is told. */
  loseAnswers(): void;
  /** New connections lead there. */
  turn(target: { host: string; port: number }): void;
  /** It is as it was; what was stalled or was to be cut ends. */
  mend(): void;
}

/**
 * Opens a way to `first`, a port of this machine or the address of a server.
 *
 * @param hostname The address of this machine at which it begins.
 */
export async function openWay(
  first: { host: string; port: number },
  hostname = "127.0.0.1",
): Promise<TcpWay> {
  const port = freePort();
  const sockets = new Set<Socket>();
  /** When the last of what comes later has been passed on, by where it goes. */
  const late = new Map<Socket, Promise<void>>();
  let target = first;
  let state: "open" | "cut" | "stalled" = "open";
  let delayMs = 0;
  let losesAnswers = false;
  let cutAt = Infinity;
  let left = Infinity;
  function end() {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  }
  /** Passes `bytes` on, or as much of them as is to come through. */
  function pass(bytes: Uint8Array, from: Socket, to: Socket, isAnswer: boolean) {
    if (isAnswer && losesAnswers) return;
    const ends = isAnswer && bytes.length > left;
    const part = ends ? bytes.subarray(0, left) : bytes;
    if (isAnswer) left = ends ? cutAt : left - bytes.length;
    const write = () => void (state === "open" && !to.destroyed && to.write(part));
    const before = late.get(to);
    if (delayMs === 0 && before === undefined) {
      write();
    } else {
      // Also what comes at once again stays behind what is still to come.
      const due = new Promise((resolve) => setTimeout(resolve, delayMs));
      const written = Promise.all([before, due]).then(write).finally(() => {
        if (late.get(to) === written) late.delete(to);
      });
      late.set(to, written);
    }
    if (ends) from.end(() => from.destroy());
    if (ends) to.end(() => to.destroy());
  }
  function keep(socket: Socket, other: Socket, isAnswer: boolean) {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      // Half a connection is none here.
      if (state !== "stalled") other.destroy();
    });
    socket.on("data", (bytes) => {
      if (state === "open") pass(bytes as Uint8Array, socket, other, isAnswer);
    });
  }
  const server = createServer((incoming) => {
    if (state === "cut") return void incoming.destroy();
    if (state === "stalled") {
      sockets.add(incoming);
      return void incoming.on("error", () => incoming.destroy());
    }
    const outgoing = connect(target);
    keep(incoming, outgoing, false);
    keep(outgoing, incoming, true);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(port, hostname, resolve);
  await promise;
  return {
    port,
    cut() {
      state = "cut";
      end();
    },
    stall() {
      state = "stalled";
    },
    slow(ms) {
      delayMs = ms;
    },
    cutAfter(bytes) {
      cutAt = left = bytes;
    },
    loseAnswers() {
      losesAnswers = true;
    },
    turn(other) {
      target = other;
    },
    mend() {
      if (state !== "open" || cutAt !== Infinity || losesAnswers) end();
      state = "open";
      losesAnswers = false;
      cutAt = left = Infinity;
      delayMs = 0;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((done) => void server.close(() => done()));
      end();
      await closed;
    },
  };
}

/** A way to what is at `url`, and the address by it. */
export async function wayTo(url: string): Promise<{ way: TcpWay; url: string }> {
  const { hostname, port } = new URL(url);
  const way = await openWay({ host: hostname, port: Number(port) });
  return { way, url: url.replace(`:${port}`, `:${way.port}`) };
}
