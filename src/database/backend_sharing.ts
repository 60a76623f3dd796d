/**
 * Shares the one backend of the embedded database between the connections of a pool. Bytes of a
 * connection are collected until a message that makes the backend answer (Sync, Query, Flush);
 * the batch then runs as a whole. A connection inside a transaction, or between Flush and Sync,
 * owns the backend: the others wait.
 *
 * Session state (SET, advisory locks, temporary tables) is shared by all connections, whatever
 * this file does: the backend has only one session.
 *
 * @module
 */
import { concat } from "../bytes.ts";
import {
  copiesFromClient,
  createSplitter,
  errorResponse,
  openingOf,
  readAnswer,
  readyForQuery,
  simpleQuery,
  SYNC,
  type WireMessage,
} from "./wire.ts";

/** The end of a connection that the bridge talks to; a `MessagePort` has this shape. */
export interface BridgePort {
  postMessage(bytes: Uint8Array, transfer: Transferable[]): void;
  close(): void;
}

/** Runs whole messages on the backend and returns its whole answer. */
export type Backend = (messages: Uint8Array) => Promise<Uint8Array>;

export interface BridgeConnection {
  /** Takes bytes of the client. */
  receive(bytes: Uint8Array): void;
  /** The client is gone: an open transaction is rolled back. */
  disconnect(): void;
}

interface Connection {
  port: BridgePort;
  batches: WireMessage[][];
  pending: WireMessage[];
  /** Between a refused batch and its Sync, when the protocol has everything else ignored. */
  skipping: boolean;
  gone: boolean;
}

const COPY_REFUSED = "COPY FROM STDIN is not supported by the embedded database. Use INSERT";

function post(connection: Connection, bytes: Uint8Array) {
  if (connection.gone || bytes.length === 0) return;
  const copy = bytes.slice();
  connection.port.postMessage(copy, [copy.buffer]);
}

/** Connections over one backend. */
export class Bridge {
  readonly #backend: Backend;
  readonly #onFatal: (error: unknown) => void;
  readonly #isFull: () => boolean;
  readonly #waiting: Connection[] = [];
  readonly #connections = new Set<Connection>();
  #owner: Connection | null = null;
  #running = false;
  #status: "I" | "T" | "E" = "I";
  /** Whether the last batch was whole, so that something may run before the next. */
  #between = true;
  #readOnly = false;
  #limited = false;

  /**
   * @param onFatal Called once when the backend throws: nothing can run on it any more.
   * @param isFull Whether there is no room to write. The backend ends for good where its log has
   * none, so that statements which write are refused before that (SQLSTATE 25006).
   */
  constructor(
    backend: Backend,
    onFatal: (error: unknown) => void,
    isFull: () => boolean = () => false,
  ) {
    this.#backend = backend;
    this.#onFatal = onFatal;
    this.#isFull = isFull;
  }

  /** A new connection; what is for its client goes to `port`. */
  connect(port: BridgePort): BridgeConnection {
    const splitter = createSplitter();
    const connection: Connection = {
      port,
      batches: [],
      pending: [],
      skipping: false,
      gone: false,
    };
    this.#connections.add(connection);
    return {
      receive: (bytes) => {
        for (const message of splitter.push(bytes)) this.#receive(connection, message);
      },
      disconnect: () => this.#disconnect(connection),
    };
  }

  #receive(connection: Connection, message: WireMessage) {
    if (message.type === "") return this.#open(connection, message);
    if (message.type === "X") return this.#disconnect(connection);
    connection.pending.push(message);
    if (!"SQH".includes(message.type)) return;
    this.#enqueue(connection, connection.pending);
    connection.pending = [];
  }

  #disconnect(connection: Connection) {
    if (connection.gone) return;
    connection.gone = true;
    this.#waiting.push(connection);
    void this.#drain();
  }

  /** Lets transactions write while there is room, and no longer. */
  async #keepRoom() {
    if (!this.#between) return;
    if (this.#status === "I") {
      this.#limited = false;
      const full = this.#isFull();
      if (full === this.#readOnly) return;
      await this.#backend(
        simpleQuery(`set default_transaction_read_only = ${full ? "on" : "off"}`),
      );
      this.#readOnly = full;
    } else if (this.#status === "T" && !this.#limited && !this.#readOnly && this.#isFull()) {
      await this.#backend(simpleQuery("set transaction read only"));
      this.#limited = true;
    }
  }

  #spread(from: Connection, notifications: Uint8Array[]) {
    for (const other of this.#connections) {
      if (other !== from) { for (const message of notifications) post(other, message); }
    }
  }

  async #run(connection: Connection, bytes: Uint8Array) {
    const answer = await this.#backend(bytes);
    const facts = readAnswer(answer);
    if (facts.status !== null) this.#status = facts.status;
    post(connection, answer);
    this.#spread(connection, facts.notifications);
  }

  /** Answers a batch that must not reach the backend as if the backend had refused it. */
  async #refuse(connection: Connection, ends: boolean) {
    if (!connection.skipping) post(connection, errorResponse("0A000", COPY_REFUSED));
    connection.skipping = !ends;
    if (!ends) return;
    // A transaction must not commit after a statement in it was refused: make it fail there too.
    if (this.#status === "T") {
      this.#status = readAnswer(await this.#backend(simpleQuery("select 1/0"))).status ?? "E";
    }
    post(connection, readyForQuery(this.#status));
  }

  async #runBatch(connection: Connection, batch: WireMessage[]) {
    const ends = batch.at(-1)!.type !== "H";
    // The first message of a connection has no type.
    if (batch[0]!.type !== "") await this.#keepRoom();
    if (connection.skipping || batch.some(copiesFromClient)) await this.#refuse(connection, ends);
    else await this.#run(connection, concat(batch.map((message) => message.bytes)));
    this.#between = ends;
    this.#owner = ends && this.#status === "I" ? null : connection;
  }

  async #release(connection: Connection) {
    this.#connections.delete(connection);
    if (this.#owner !== connection) return;
    await this.#backend(SYNC);
    await this.#backend(simpleQuery("rollback"));
    this.#owner = null;
    this.#status = "I";
    this.#between = true;
  }

  async #step(turn: Connection): Promise<void> {
    const batch = turn.batches.shift();
    if (batch !== undefined) await this.#runBatch(turn, batch);
    else if (turn.gone) await this.#release(turn);
  }

  #nextTurn(): Connection | undefined {
    if (this.#owner === null) return this.#waiting.shift();
    return this.#owner.batches.length > 0 || this.#owner.gone ? this.#owner : undefined;
  }

  async #drain() {
    if (this.#running) return;
    this.#running = true;
    try {
      for (let turn = this.#nextTurn(); turn !== undefined; turn = this.#nextTurn()) {
        await this.#step(turn);
      }
    } catch (error) {
      for (const connection of this.#connections) connection.port.close();
      this.#onFatal(error);
      return; // `running` stays set: the backend is lost.
    }
    // In the same step as the last look at the queue, or a batch that arrives between is forgotten.
    this.#running = false;
  }

  #open(connection: Connection, message: WireMessage) {
    const opening = openingOf(message.bytes);
    if (opening === "encryption") post(connection, new TextEncoder().encode("N"));
    else if (opening === "cancel") connection.port.close();
    else this.#enqueue(connection, [message]);
  }

  #enqueue(connection: Connection, batch: WireMessage[]) {
    connection.batches.push(batch);
    this.#waiting.push(connection);
    void this.#drain();
  }
}
