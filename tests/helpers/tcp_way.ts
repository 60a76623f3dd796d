/**
 * A way to a TCP port that a test may cut.
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
  /** It is as it was; what was stalled ends. */
  mend(): void;
}

/** Opens a way to `target`, a port of this machine or the address of a server. */
export async function openWay(target: { host: string; port: number }): Promise<TcpWay> {
  const port = freePort();
  const sockets = new Set<Socket>();
  let state: "open" | "cut" | "stalled" = "open";
  function end() {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  }
  function keep(socket: Socket, other: Socket) {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      // Half a connection is none here.
      if (state !== "stalled") other.destroy();
    });
    socket.on("data", (bytes) => {
      if (state === "open") other.write(bytes);
    });
  }
  const server = createServer((incoming) => {
    if (state === "cut") return void incoming.destroy();
    if (state === "stalled") {
      sockets.add(incoming);
      return void incoming.on("error", () => incoming.destroy());
    }
    const outgoing = connect(target);
    keep(incoming, outgoing);
    keep(outgoing, incoming);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(port, "127.0.0.1", resolve);
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
    mend() {
      if (state !== "open") end();
      state = "open";
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((done) => void server.close(() => done()));
      end();
      await closed;
    },
  };
}
