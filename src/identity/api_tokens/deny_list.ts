/**
 * The revoked tokens in this node's memory, so that a request costs no query. Other nodes'
 * revocations arrive as notifications; what those miss (a connection that broke, a database that
 * was away) is asked for every second.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import type { Logger } from "../../log.ts";
import { readDenied, REVOKED_CHANNEL } from "./store.ts";

/** What {@link startDenyList} needs. */
export interface DenyListOptions {
  sql: Sql;
  log: Logger;
  now: () => Date;
  /** No other node uses the database: nothing to hear from, nothing to ask for. */
  alone: boolean;
  /** Milliseconds between questions. */
  pollMs?: number;
  /** False hears no notifications; for tests of the fallback. */
  listen?: boolean;
}

/** The revoked tokens. */
export interface DenyList {
  has(digest: string): boolean;
  add(digest: string, expiresAt: Date): void;
  /** How many there are. */
  readonly size: number;
  close(): Promise<void>;
}

const POLL_MS = 1000;
/** A revocation may become visible this much later than its time says: its commit takes a while. */
const OVERLAP_MS = 30_000;
const SWEEP_MS = 60_000;

function parseNotice(payload: string): { digest: string; expiresAt: Date } | null {
  const [digest, time] = payload.split(" ");
  if (digest === undefined || !/^[0-9a-f]{64}$/.test(digest)) return null;
  const expiresAt = new Date(Number(time));
  return Number.isNaN(expiresAt.getTime()) ? null : { digest, expiresAt };
}

/** Loads the list and keeps it current. @throws When the database does not answer. */
export async function startDenyList(options: DenyListOptions): Promise<DenyList> {
  const { sql, log, now, alone } = options;
  const expiries = new Map<string, number>();
  let asOf: Date | null = null;
  let failing = false;

  function add(digest: string, expiresAt: Date): void {
    expiries.set(digest, expiresAt.getTime());
  }

  async function read(since: Date | null): Promise<void> {
    const found = await readDenied(sql, since === null ? {} : { since });
    for (const { digest, expires_at } of found.denied) add(digest, expires_at);
    asOf = new Date(found.asOf.getTime() - OVERLAP_MS);
  }

  /** Reads all, or what is new; a failure is logged once and tried again a second later. */
  async function readSafely(since: Date | null): Promise<void> {
    try {
      await read(since);
      failing = false;
    } catch (error) {
      if (!failing) log.warn("tokens.revoked_not_read", { error });
      failing = true;
    }
  }

  await read(null);
  const listening = alone || options.listen === false ? null : await sql.listen(
    REVOKED_CHANNEL,
    (payload) => {
      const notice = parseNotice(payload);
      if (notice !== null) add(notice.digest, notice.expiresAt);
    },
    // Also after each new connection: what was sent meanwhile is lost.
    () => void readSafely(null),
  );
  let asking = Promise.resolve();
  let idle = true;
  const polling = alone ? undefined : setInterval(() => {
    if (!idle) return;
    idle = false;
    asking = readSafely(asOf).finally(() => idle = true);
  }, options.pollMs ?? POLL_MS);
  const sweeping = setInterval(() => {
    const time = now().getTime();
    for (const [digest, expiry] of expiries) if (expiry <= time) expiries.delete(digest);
  }, SWEEP_MS);
  return {
    has: (digest) => expiries.has(digest),
    add,
    get size() {
      return expiries.size;
    },
    async close() {
      clearInterval(polling);
      clearInterval(sweeping);
      await asking;
      await listening?.unlisten();
    },
  };
}
