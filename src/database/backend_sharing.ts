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
import {
  concat,
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

/** A connection as the bridge sees it. */
export interface BridgeConnection {
  /** Takes bytes of the client. */
  receive(bytes: Uint8Array): void;
  /** The client is gone: an open transaction is rolled back. */
  disconnect(): void;
}

/** Connections over one backend. */
export interface Bridge {
  connect(port: BridgePort): BridgeConnection;
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

/**
 * @param onFatal Called once when the backend throws: nothing can run on it any more.
 * @param isFull Whether there is no room to write. The backend ends for good where its log has
 * none, so that statements which write are refused before that (SQLSTATE 25006).
 */
export function createBridge(
  backend: Backend,
  onFatal: (error: unknown) => void,
  isFull: () => boolean = () => false,
): Bridge {
  const waiting: Connection[] = [];
  const connections = new Set<Connection>();
  let owner: Connection | null = null;
  let running = false;
  let status: "I" | "T" | "E" = "I";
  /** Whether the last batch was whole, so that something may run before the next. */
  let between = true;
  let readOnly = false;
  let limited = false;

  /** Lets transactions write while there is room, and no longer. */
  async function keepRoom() {
    if (!between) return;
    if (status === "I") {
      limited = false;
      const full = isFull();
      if (full === readOnly) return;
      await backend(simpleQuery(`set default_transaction_read_only = ${full ? "on" : "off"}`));
      readOnly = full;
    } else if (status === "T" && !limited && !readOnly && isFull()) {
      await backend(simpleQuery("set transaction read only"));
      limited = true;
    }
  }

  function post(connection: Connection, bytes: Uint8Array) {
    if (connection.gone || bytes.length === 0) return;
    const copy = bytes.slice();
    connection.port.postMessage(copy, [copy.buffer]);
  }

  function spread(from: Connection, notifications: Uint8Array[]) {
    for (const other of connections) {
      if (other !== from) { for (const message of notifications) post(other, message); }
    }
  }

  async function run(connection: Connection, bytes: Uint8Array) {
    const answer = await backend(bytes);
    const facts = readAnswer(answer);
    if (facts.status !== null) status = facts.status;
    post(connection, answer);
    spread(connection, facts.notifications);
  }

  /** Answers a batch that must not reach the backend as if the backend had refused it. */
  async function refuse(connection: Connection, ends: boolean) {
    if (!connection.skipping) post(connection, errorResponse("0A000", COPY_REFUSED));
    connection.skipping = !ends;
    if (!ends) return;
    // A transaction must not commit after a statement in it was refused: make it fail there too.
    if (status === "T") status = readAnswer(await backend(simpleQuery("select 1/0"))).status ?? "E";
    post(connection, readyForQuery(status));
  }

  async function runBatch(connection: Connection, batch: WireMessage[]) {
    const ends = batch.at(-1)!.type !== "H";
    // The first message of a connection has no type.
    if (batch[0]!.type !== "") await keepRoom();
    if (connection.skipping || batch.some(copiesFromClient)) await refuse(connection, ends);
    else await run(connection, concat(batch.map((message) => message.bytes)));
    between = ends;
    owner = ends && status === "I" ? null : connection;
  }

  async function release(connection: Connection) {
    connections.delete(connection);
    if (owner !== connection) return;
    await backend(SYNC);
    await backend(simpleQuery("rollback"));
    owner = null;
    status = "I";
    between = true;
  }

  async function step(turn: Connection): Promise<void> {
    const batch = turn.batches.shift();
    if (batch !== undefined) await runBatch(turn, batch);
    else if (turn.gone) await release(turn);
  }

  function nextTurn(): Connection | undefined {
    if (owner === null) return waiting.shift();
    return owner.batches.length > 0 || owner.gone ? owner : undefined;
  }

  async function drain() {
    if (running) return;
    running = true;
    try {
      for (let turn = nextTurn(); turn !== undefined; turn = nextTurn()) await step(turn);
    } catch (error) {
      for (const connection of connections) connection.port.close();
      onFatal(error);
      return; // `running` stays set: the backend is lost.
    }
    // In the same step as the last look at the queue, or a batch that arrives between is forgotten.
    running = false;
  }

  function open(connection: Connection, message: WireMessage) {
    const opening = openingOf(message.bytes);
    if (opening === "encryption") post(connection, new TextEncoder().encode("N"));
    else if (opening === "cancel") connection.port.close();
    else enqueue(connection, [message]);
  }

  function enqueue(connection: Connection, batch: WireMessage[]) {
    connection.batches.push(batch);
    waiting.push(connection);
    void drain();
  }

  return {
    connect(port) {
      const splitter = createSplitter();
      const connection: Connection = {
        port,
        batches: [],
        pending: [],
        skipping: false,
        gone: false,
      };
      connections.add(connection);
      function disconnect() {
        if (connection.gone) return;
        connection.gone = true;
        waiting.push(connection);
        void drain();
      }
      return {
        receive(bytes) {
          for (const message of splitter.push(bytes)) {
            if (message.type === "") open(connection, message);
            else if (message.type === "X") disconnect();
            else {
              connection.pending.push(message);
              if (!"SQH".includes(message.type)) continue;
              enqueue(connection, connection.pending);
              connection.pending = [];
            }
          }
        },
        disconnect,
      };
    },
  };
}
