/**
 * What is refused before its expiry, in this node's memory, so that a request costs no query. Other
 * nodes' revocations arrive as notifications; what those miss (a connection that broke, a database
 * that was away) is asked for twice a second.
 *
 * @module
 */
import { z } from "zod";
import type { Sql } from "../../database/client.ts";
import type { Logger } from "../../log.ts";
import type { TokenIdentity } from "../caller.ts";
import { TOKEN_LIFETIME_SECONDS } from "../claims.ts";
import { type Denial, readDenied, REVOKED_CHANNEL } from "./denied_store.ts";

export interface DenyListOptions {
  sql: Sql;
  log: Logger;
  now: () => Date;
  /** No other node uses the database: nothing is missed, so nothing is asked for. */
  alone: boolean;
  /** Milliseconds between questions. */
  pollMs?: number;
  /** False hears no notifications; for tests of the fallback. */
  listen?: boolean;
}

/** The revoked tokens. */
export interface DenyList {
  isRevoked(token: TokenIdentity): boolean;
  add(denial: Denial): void;
  /** How many tokens and users it has. */
  readonly size: number;
  close(): Promise<void>;
}

// Half of the second within which a revocation holds everywhere.
const POLL_MS = 500;
/** A revocation may become visible this much later than its time says: its commit takes a while. */
const OVERLAP_MS = 30_000;
const SWEEP_MS = 60_000;

const Notice = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("token"),
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    expiresAt: z.iso.datetime().transform((text) => new Date(text)),
  }),
  z.object({
    kind: z.literal("user"),
    subject: z.string().min(1),
    issuedBefore: z.iso.datetime().transform((text) => new Date(text)),
  }),
]);

function parseNotice(payload: string): Denial | null {
  try {
    return Notice.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}

/** The list itself. */
function createEntries() {
  const expiries = new Map<string, number>();
  const cuts = new Map<string, number>();
  return {
    isRevoked({ digest, subject, issuedAt }: TokenIdentity): boolean {
      return expiries.has(digest) || issuedAt.getTime() < (cuts.get(subject) ?? -Infinity);
    },
    add(denial: Denial): void {
      if (denial.kind === "token") expiries.set(denial.digest, denial.expiresAt.getTime());
      else {
        const before = denial.issuedBefore.getTime();
        cuts.set(denial.subject, Math.max(before, cuts.get(denial.subject) ?? before));
      }
    },
    size: () => expiries.size + cuts.size,
    /** Forgets what has expired by itself. */
    sweep(now: number): void {
      for (const [digest, expiry] of expiries) if (expiry <= now) expiries.delete(digest);
      const oldest = now - TOKEN_LIFETIME_SECONDS * 1000;
      for (const [subject, before] of cuts) if (before <= oldest) cuts.delete(subject);
    },
  };
}

/** Loads the list and keeps it current. @throws When the database does not answer. */
export async function startDenyList(options: DenyListOptions): Promise<DenyList> {
  const { sql, log, now } = options;
  const entries = createEntries();
  let asOf: Date | null = null;
  let failing = false;

  async function read(since: Date | null): Promise<void> {
    const found = await readDenied(sql, since);
    found.denials.forEach(entries.add);
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
  let asking = Promise.resolve();
  function ask(since: Date | null): void {
    asking = asking.then(() => readSafely(since));
  }
  const listening = options.listen === false ? null : await sql.listen(
    REVOKED_CHANNEL,
    (payload) => {
      const denial = parseNotice(payload);
      if (denial !== null) entries.add(denial);
    },
    // Also after each new connection: what was sent in between is lost.
    () => ask(null),
  );
  let waiting = false;
  const polling = options.alone ? undefined : setInterval(() => {
    if (waiting) return;
    waiting = true;
    ask(asOf);
    asking.finally(() => waiting = false);
  }, options.pollMs ?? POLL_MS);
  const sweeping = setInterval(() => entries.sweep(now().getTime()), SWEEP_MS);
  return {
    isRevoked: entries.isRevoked,
    add: entries.add,
    get size() {
      return entries.size();
    },
    async close() {
      clearInterval(polling);
      clearInterval(sweeping);
      await listening?.unlisten();
      await asking;
    },
  };
}
