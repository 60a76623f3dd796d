/**
 * Where the session engine puts what a server says to its client. The engine knows nothing of how
 * it gets there.
 *
 * @module
 */

/** A notification or request to the client; its parameters may be text that was checked. */
export type ServerMessage =
  | { jsonrpc: "2.0"; method: string; params?: unknown }
  | { jsonrpc: "2.0"; id: number; method: string; params?: unknown };

/** Takes messages that belong together: to one request of the client, or to none. */
export interface Receiver {
  /** Whether what is sent now can come to the client. */
  canCarry(): boolean;
  /** Sends a message, or drops it when nothing carries it. */
  send(message: ServerMessage): void;
  /** The server wants the client to come back for the rest; null: whenever. */
  interrupt(retryMs: number | null): void;
}
