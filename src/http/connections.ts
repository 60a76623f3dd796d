/**
 * How many connections a listener has, of all clients and of one: each costs memory and a file, so
 * that a client who opens thousands and says nothing would keep others out.
 *
 * @module
 */
import { addressBlock } from "../limits/address.ts";

/** What is counted: a connection of a client. */
export interface Connection {
  /** Address of the other end; absent once it is gone. */
  remoteAddress?: string | undefined;
  /** Ends it at once. */
  destroy(): unknown;
}

/** Most connections at once. */
export interface ConnectionLimits {
  /** Of all clients. */
  total: number;
  /** Of one address (IPv6 by /64). */
  perAddress: number;
}

/** Keeps count of open sockets, and decides which of them has to close when there are too many. */
export interface Connections<C extends Connection> {
  /**
   * Counts a new connection. Where there is no room, the connection that has waited longest without
   * a request goes: of the same address if that has too many, else of all.
   *
   * @returns False when there is none to go: the new one must.
   */
  add(connection: C): boolean;
  /** A request of the connection is being answered: it does not go for others. */
  begin(connection: C): void;
  /** The connection waits for its next request. */
  wait(connection: C): void;
  /** The connection is closed. */
  remove(connection: C): void;
}

interface Owner<C> {
  open: number;
  /** Those without a request, longest first. */
  waiting: Set<C>;
}

/**
 * Counts within `limits`.
 *
 * @param isShared Whether an address is that of many clients (a proxy): it has no limit of its own.
 */
export function countConnections<C extends Connection>(
  limits: ConnectionLimits,
  isShared: (address: string) => boolean,
): Connections<C> {
  const owners = new Map<string, Owner<C>>();
  const keys = new Map<C, string>();
  const waiting = new Set<C>();

  function remove(connection: C): void {
    const key = keys.get(connection);
    const owner = key === undefined ? undefined : owners.get(key);
    if (key === undefined || owner === undefined) return;
    keys.delete(connection);
    waiting.delete(connection);
    owner.waiting.delete(connection);
    owner.open -= 1;
    if (owner.open === 0) owners.delete(key);
  }

  /** Ends the first of `candidates`. @returns Whether there was one. */
  function drop(candidates: Set<C>): boolean {
    const [longest] = candidates;
    if (longest === undefined) return false;
    remove(longest);
    longest.destroy();
    return true;
  }

  function mark(connection: C, isWaiting: boolean): void {
    const owner = owners.get(keys.get(connection) ?? "");
    if (owner === undefined) return;
    for (const set of [waiting, owner.waiting]) {
      set.delete(connection);
      if (isWaiting) set.add(connection);
    }
  }

  return {
    add(connection) {
      const address = connection.remoteAddress ?? "";
      const key = addressBlock(address);
      const known = owners.get(key);
      const isFull = known !== undefined && known.open >= limits.perAddress && !isShared(address);
      if (isFull && !drop(known.waiting)) return false;
      if (keys.size >= limits.total && !drop(waiting)) return false;
      const owner = owners.get(key) ?? { open: 0, waiting: new Set() };
      owner.open += 1;
      owners.set(key, owner);
      keys.set(connection, key);
      mark(connection, true);
      return true;
    },
    begin: (connection) => mark(connection, false),
    wait: (connection) => mark(connection, true),
    remove,
  };
}
