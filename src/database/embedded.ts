/**
 * The embedded database as the main thread sees it: a locked folder, a worker that runs PGlite in
 * it, and streams to that worker for postgres.js.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { resolve } from "node:path";
import { Duplex } from "node:stream";
import { exists } from "../files.ts";
import type { EmbeddedReply, EmbeddedRequest } from "./embedded_protocol.ts";
import { DatabaseError } from "./errors.ts";
import { type FolderLock, lockFolder } from "./lock.ts";

export interface EmbeddedServer {
  /** A new connection, for postgres.js's `socket` option. */
  connect(): Duplex;
  /** Stops the database and frees the folder. Connections must be closed before. */
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Folder for everything Berth keeps; the database lives in `database` below it. */
  dataDir: string;
  /** Called when the database stops by itself; nothing can be read or written any more. */
  onFailure: (error: DatabaseError) => void;
}

/** A stream over a message port. postgres.js ends only sockets whose `readyState` is `open`. */
function streamOver(port: MessagePort): Duplex {
  const stream = new Duplex({
    read() {},
    write(chunk: Uint8Array, _encoding, done) {
      const bytes = new Uint8Array(chunk);
      port.postMessage(bytes, [bytes.buffer]);
      done();
    },
    final(done) {
      port.postMessage(null);
      done();
      this.push(null);
    },
    destroy(error, done) {
      port.postMessage(null);
      port.close();
      done(error);
    },
  });
  port.onmessage = (event) => {
    const bytes = event.data as Uint8Array;
    stream.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  };
  return Object.assign(stream, { readyState: "open" });
}

/** Waits for the worker's next reply; an error in the worker is a `failed` one. */
function createReplies(worker: Worker) {
  let take: ((reply: EmbeddedReply) => void) | null = null;
  let onUnasked: (message: string) => void = () => {};
  function arrive(reply: EmbeddedReply) {
    const waiting = take;
    take = null;
    if (waiting !== null) waiting(reply);
    else if (reply.type === "failed") onUnasked(reply.message);
  }
  worker.onmessage = (event) => arrive(event.data as EmbeddedReply);
  worker.onerror = (event) => {
    event.preventDefault();
    arrive({ type: "failed", message: event.message, isFull: false });
  };
  return {
    next: () => new Promise<EmbeddedReply>((resolve) => take = resolve),
    onFailure(handler: (message: string) => void) {
      onUnasked = handler;
    },
  };
}

/** The worker may touch the database's files and nothing else. */
function startWorker(folder: string): Worker {
  const pglite = new URL(".", import.meta.resolve("@electric-sql/pglite"));
  return new Worker(new URL("./embedded_worker.ts", import.meta.url), {
    type: "module",
    name: "embedded-database",
    deno: {
      permissions: {
        read: [pglite, folder],
        write: [folder],
        env: false,
        net: false,
        run: false,
        ffi: false,
        sys: ["statfs"],
        import: false,
      },
    },
  });
}

interface RunningWorker {
  post(request: EmbeddedRequest, transfer?: Transferable[]): void;
  onFailure(handler: (message: string) => void): void;
  stop(): Promise<void>;
}

async function runFolder(folder: string): Promise<RunningWorker> {
  const worker = startWorker(folder);
  const replies = createReplies(worker);
  function post(request: EmbeddedRequest, transfer: Transferable[] = []) {
    worker.postMessage(request, transfer);
  }
  const opened = replies.next();
  post({ type: "open", folder });
  const reply = await opened;
  if (reply.type === "failed") {
    worker.terminate();
    throw new DatabaseError(
      `Cannot open the embedded database in "${folder}": ` +
        (reply.isFull
          ? "the disk is full. Make room on it, then start again: nothing is lost"
          : `${reply.message}. If the folder is damaged, restore it from a backup, or move it away ` +
            "to start with an empty one"),
    );
  }
  return {
    post,
    onFailure: replies.onFailure,
    async stop() {
      const closed = replies.next();
      post({ type: "close" });
      await closed;
      worker.terminate();
    },
  };
}

/**
 * Opens the folder, making it first where there is none. It is made under another name and
 * renamed, so that an interrupted first start leaves nothing that looks like a database; and in a
 * worker of its own, which takes the 350 MB with it that making one costs.
 */
async function runOrCreate(dataDir: string): Promise<RunningWorker> {
  const folder = `${dataDir}/database`;
  if (!await exists(folder)) {
    const unfinished = `${folder}.new`;
    if (await exists(unfinished)) await Deno.remove(unfinished, { recursive: true });
    // PGlite's files are open to everybody: their folder must not be.
    await Deno.mkdir(unfinished, { mode: 0o700 });
    await (await runFolder(unfinished)).stop();
    await Deno.rename(unfinished, folder);
  }
  return await runFolder(folder);
}

/** Makes the folder where there is none, and locks it. */
async function takeFolder(dataDir: string): Promise<FolderLock> {
  try {
    await Deno.mkdir(dataDir, { recursive: true, mode: 0o700 });
    return await lockFolder(dataDir);
  } catch (error) {
    if (error instanceof DatabaseError || !(error instanceof Error)) throw error;
    throw new DatabaseError(
      `Cannot use the data folder "${dataDir}": ${error.message}. Make it a folder that Berth can ` +
        "write to, or set DATA_DIR to another one",
      { cause: error },
    );
  }
}

/**
 * Starts the embedded database of `dataDir`.
 *
 * @throws {DatabaseError} When another process has the folder, or the files cannot be used.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const dataDir = resolve(options.dataDir);
  const lock = await takeFolder(dataDir);
  const streams = new Set<Duplex>();
  let failure: DatabaseError | null = null;
  try {
    const worker = await runOrCreate(dataDir);
    worker.onFailure((message) => {
      failure = new DatabaseError(`The embedded database stopped: ${message}. Restart Berth`);
      for (const stream of streams) stream.destroy(failure);
      options.onFailure(failure);
    });
    return {
      connect() {
        if (failure !== null) throw failure;
        const { port1, port2 } = new MessageChannel();
        worker.post({ type: "connect", port: port2 }, [port2]);
        const stream = streamOver(port1);
        streams.add(stream);
        stream.once("close", () => streams.delete(stream));
        return stream;
      },
      async close() {
        await worker.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
