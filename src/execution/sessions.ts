/**
 * The live sessions of this node, by the value of `Mcp-Session-Id`, and their state table
 * (specification, "States and transitions"):
 *
 * - no session → active: a request with a new id; two at once make one session.
 * - active → active: a request with the same id; the inactivity timer restarts.
 * - active → ended: DELETE, the server's removal, or the loss of its sandbox.
 * - active → evicted: no request and no call in flight for the idle time.
 *
 * A session of a paid server keeps the price that it began with, and ends with the right to run it:
 * when that is told (`recheckPayment`), else at a request a minute later.
 *
 * @module
 */
import { AppError } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { RpcError } from "../protocol/json_rpc.ts";
import { type AdmissionDeps, admit, unpaid } from "./admission.ts";
import type { Client } from "./clients.ts";
import { checkUnchanged, maskOf, type SessionEnvironment } from "./environment.ts";
import { sessionNotFound } from "./failures.ts";
import { launch, type LaunchDeps } from "./launch.ts";
import { type OutputLog, outputLog } from "./output_log.ts";
import { createSession, type Session, type SessionDeps } from "./session.ts";
import type { SessionRow, SessionStore } from "./session_store.ts";
import type { RunnableServer } from "./types.ts";

/** What {@link createSessions} needs. */
export interface SessionsDeps extends SessionDeps {
  admission: AdmissionDeps;
  launch: LaunchDeps;
  store: SessionStore;
  log: Logger;
  newId: () => string;
  /** Milliseconds without activity after which a session is evicted. */
  idleMs: number;
  /** Sessions of this node. */
  maxSessions: number;
  /** Sessions of one user or address. */
  sessionsPerClient: number;
}

/** Which session is meant, and who asks. */
export interface SessionKey {
  /** Value of Mcp-Session-Id. */
  id: string;
  /** The server's name. */
  name: string;
  client: Client;
  /** For `os.environ`; a session takes that of its first request. */
  environment?: SessionEnvironment | null;
}

/** `begin` makes a session of a new id, `initialize` also of one whose session has ended. */
export type Intent = "initialize" | "begin" | "existing";

/** What became of {@link Sessions.use}. */
export type Used<T> = { kind: "done"; value: T } | { kind: "raised"; error: RpcError };

/** The sessions of this node. */
export interface Sessions {
  /**
   * Runs `body` with the session, which counts as active meanwhile.
   *
   * @throws {AppError} When there is no such session, or none may be begun.
   */
  use<T>(key: SessionKey, intent: Intent, body: (session: Session) => Promise<T>): Promise<Used<T>>;
  /**
   * Ends a session.
   *
   * @throws {AppError} `not_found`, or `conflict` when the id belongs to another server's session.
   */
  end(key: SessionKey): Promise<void>;
  /** Ends every session of a server. */
  endServer(name: string): Promise<void>;
  /** Ends the user's sessions of a server that they may no longer run for want of payment. */
  recheckPayment(name: string, userId: string): Promise<void>;
  /** Tells the database which sessions live. */
  touch(): Promise<void>;
  /** Ends all sessions. */
  close(): Promise<void>;
}

type Started = { kind: "active"; session: Session } | { kind: "raised"; error: RpcError };

interface Entry {
  row: SessionRow;
  client: Client;
  environment: SessionEnvironment;
  /** What is run; null while it is not known whether it may begin. */
  server: RunnableServer | null;
  /** When the payment was last found to be there. */
  paidAt: number;
  ready: Promise<Started>;
  session: Session | null;
  output: OutputLog;
  uses: number;
  lastActive: number;
  cancelTimer: () => void;
}

/** How long a payment is taken to be there without asking. */
const PAYMENT_CHECK_MS = 60_000;
const RETRY = { headers: { "Retry-After": "30" } };

/** An empty set of sessions. */
export function createSessions(deps: SessionsDeps): Sessions {
  const { clock, store, log, metrics } = deps;
  const entries = new Map<string, Entry>();
  const date = () => new Date(clock.now());

  function matching(entry: Entry, key: SessionKey): Entry {
    // Who may not know of the session is told the same as if there were none.
    if (entry.row.userId !== null && entry.row.userId !== key.client.userId) {
      throw sessionNotFound();
    }
    if (entry.row.server !== key.name) {
      throw new AppError("conflict", "This Mcp-Session-Id belongs to a session of another server");
    }
    return entry;
  }

  async function find(key: SessionKey, intent: Intent): Promise<Entry> {
    const known = entries.get(key.id);
    if (known !== undefined) return matching(known, key);
    const ended = await store.has(key.id, date());
    // Another first request may have come while the database answered.
    const meanwhile = entries.get(key.id);
    if (meanwhile !== undefined) return matching(meanwhile, key);
    if (intent === "existing" || (ended && intent === "begin")) throw sessionNotFound();
    return add(key);
  }

  /** Adds the entry at once, so that a second first request finds it. */
  function add(key: SessionKey): Entry {
    const instance = deps.newId();
    const environment = key.environment ?? {};
    const { promise, resolve, reject } = Promise.withResolvers<Started>();
    const entry: Entry = {
      row: { id: key.id, instance, server: key.name, userId: key.client.userId },
      client: key.client,
      environment,
      server: null,
      paidAt: clock.now(),
      ready: promise,
      session: null,
      output: outputLog(log.child({ server: key.name, session: instance }), maskOf(environment)),
      uses: 0,
      lastActive: clock.now(),
      cancelTimer() {},
    };
    entries.set(key.id, entry);
    begin(entry).then(resolve, (error) => {
      forget(entry);
      reject(error);
    });
    return entry;
  }

  async function begin(entry: Entry): Promise<Started> {
    const server = await admit(deps.admission, entry.row.server, entry.client);
    checkLimits(entry.client.key);
    entry.server = server;
    let lost = false;
    const launched = await launch(deps.launch, server, {
      instance: entry.row.instance,
      environment: entry.environment,
      onLog: entry.output.write,
      onEnd(reason) {
        lost = true;
        if (entry.session !== null) void finish(entry, reason);
      },
    });
    if (launched.kind === "raised") {
      forget(entry);
      return launched;
    }
    if (lost) throw new AppError("unavailable", "The session ended while it was starting", RETRY);
    const session = createSession(deps, launched);
    if (entries.get(entry.row.id) !== entry) {
      await session.close();
      throw sessionNotFound();
    }
    entry.session = session;
    metrics.sessionsActive += 1;
    metrics.sessionsStarted += 1;
    log.info("session.started", { server: entry.row.server, session: entry.row.instance });
    try {
      await store.begin(entry.row, date());
    } catch (error) {
      await finish(entry, "not_recorded");
      throw error;
    }
    watchIdle(entry, deps.idleMs);
    return { kind: "active", session };
  }

  function checkLimits(clientKey: string): void {
    const admitted = [...entries.values()].filter((entry) => entry.server !== null);
    const own = admitted.filter((entry) => entry.client.key === clientKey).length;
    if (own >= deps.sessionsPerClient) {
      throw new AppError(
        "rate_limited",
        `Too many sessions: a client may have ${deps.sessionsPerClient} (SESSIONS_PER_CLIENT). ` +
          "End one with DELETE",
        { headers: { "Retry-After": "60" } },
      );
    }
    if (admitted.length >= deps.maxSessions) {
      throw new AppError(
        "unavailable",
        `All ${deps.maxSessions} sessions of this node are in use (MAX_SESSIONS): try again later`,
        RETRY,
      );
    }
  }

  /** Ends the session when it is no longer paid for. @returns What to answer then. */
  async function endUnpaid(entry: Entry): Promise<AppError | null> {
    const refusal = entry.server && await unpaid(deps.admission, entry.server, entry.client);
    if (refusal === null) entry.paidAt = clock.now();
    else await finish(entry, "not_paid");
    return refusal;
  }

  function watchIdle(entry: Entry, ms: number): void {
    if (entries.get(entry.row.id) !== entry) return;
    entry.cancelTimer = clock.after(ms, () => {
      const idle = entry.uses > 0 ? 0 : clock.now() - entry.lastActive;
      if (idle >= deps.idleMs) void finish(entry, "idle");
      else watchIdle(entry, deps.idleMs - idle);
    });
  }

  function forget(entry: Entry): boolean {
    entry.cancelTimer();
    return entries.get(entry.row.id) === entry && entries.delete(entry.row.id);
  }

  async function finish(entry: Entry, reason: string): Promise<void> {
    if (!forget(entry) || entry.session === null) return;
    const { row } = entry;
    metrics.sessionsActive -= 1;
    metrics.sessionsEnded[reason] = (metrics.sessionsEnded[reason] ?? 0) + 1;
    log.info("session.ended", { server: row.server, session: row.instance, reason });
    try {
      await Promise.all([entry.session.close(), store.end(row, reason, date())]);
    } catch (error) {
      log.error("session.end_failed", { server: row.server, session: row.instance, error });
    }
  }

  return {
    async use(key, intent, body) {
      const entry = await find(key, intent);
      if (intent === "initialize") checkUnchanged(entry.environment, key.environment);
      entry.uses += 1;
      entry.lastActive = clock.now();
      try {
        const ready = await entry.ready;
        if (ready.kind === "raised") return ready;
        const isDue = clock.now() - entry.paidAt >= PAYMENT_CHECK_MS;
        const refusal = isDue ? await endUnpaid(entry) : null;
        if (refusal !== null) throw refusal;
        entry.output.refill();
        return { kind: "done", value: await body(ready.session) };
      } finally {
        entry.uses -= 1;
        entry.lastActive = clock.now();
      }
    },

    async end(key) {
      const entry = entries.get(key.id);
      if (entry === undefined) throw sessionNotFound();
      await finish(matching(entry, key), "deleted");
    },

    async endServer(name) {
      const ending = [...entries.values()].filter((entry) => entry.row.server === name);
      await Promise.all(ending.map((entry) => finish(entry, "server_removed")));
    },

    async recheckPayment(name, userId) {
      const meant = [...entries.values()].filter(({ row, session }) =>
        session !== null && row.server === name && row.userId === userId
      );
      await Promise.all(meant.map(endUnpaid));
    },

    async touch() {
      const live = [...entries.values()].filter((entry) => entry.session !== null);
      await store.touch(live.map((entry) => entry.row.instance), date());
    },

    async close() {
      await Promise.all([...entries.values()].map((entry) => finish(entry, "shutdown")));
    },
  };
}
