/**
 * Who a client is for the limits of the execution endpoint, and how many calls it may make.
 *
 * @module
 */
import { tooManyCalls } from "../failures.ts";
import { addressBlock } from "../../limits/address.ts";

/** Who calls the execution endpoint: a user with a token, or an address without. */
export interface Client {
  /** Token subject, null without a token. */
  userId: string | null;
  /** Reads every server, and runs paid ones without paying. */
  isAdmin: boolean;
  /** What limits count by: the user, or the address. */
  key: string;
}

/** The client behind a checked token's subject, or an address (IPv6 counts by /64). */
export function clientOf(
  userId: string | null,
  address: string,
  options: { isAdmin?: boolean } = {},
): Client {
  const key = userId === null ? `address ${addressBlock(address)}` : `user ${userId}`;
  return { userId, isAdmin: options.isAdmin ?? false, key };
}

/** Counts calls a minute of each client. */
export interface CallLimit {
  /**
   * Counts `calls` of the client.
   *
   * @throws {AppError} `rate_limited` when it has none left; refused calls do not count.
   */
  take(client: Client, calls: number): void;
  /** Forgets clients that made no call of late. */
  sweep(): void;
}

interface Window {
  start: number;
  count: number;
  /** Count of the minute before. */
  before: number;
}

const MINUTE_MS = 60_000;
const CLIENTS_MAX = 50_000;

/** A limit of `perMinute` calls a client; the minute slides. */
export function callLimit(perMinute: number, now: () => number): CallLimit {
  const windows = new Map<string, Window>();

  function windowOf(key: string, time: number): Window {
    const found = windows.get(key) ?? { start: time, count: 0, before: 0 };
    const passed = Math.floor((time - found.start) / MINUTE_MS);
    if (passed > 0) {
      found.before = passed === 1 ? found.count : 0;
      found.count = 0;
      found.start += passed * MINUTE_MS;
    }
    if (!windows.has(key) && windows.size >= CLIENTS_MAX) {
      windows.delete(windows.keys().next().value!);
    }
    windows.set(key, found);
    return found;
  }

  return {
    take(client, calls) {
      const time = now();
      const window = windowOf(client.key, time);
      const share = 1 - (time - window.start) / MINUTE_MS;
      if (window.count + window.before * share + calls > perMinute) {
        const wait = Math.max(1, Math.ceil((MINUTE_MS * share) / 1000));
        throw tooManyCalls(perMinute, wait);
      }
      window.count += calls;
    },
    sweep() {
      const oldest = now() - 2 * MINUTE_MS;
      for (const [key, window] of windows) if (window.start <= oldest) windows.delete(key);
    },
  };
}
