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
import { admit, unpaid } from "./admission.ts";
import { checkUnchanged, maskOf } from "./environment.ts";
import { sessionNotFound } from "./failures.ts";
import { launch } from "./launch.ts";
import { outputLog } from "./output_log.ts";
import { createSession } from "./session.ts";
import { checkLimits, type Entry, RETRY, type Started, stateOf } from "./session_entry.ts";
import type { Intent, SessionKey, Sessions, SessionsDeps } from "./session_types.ts";
import { createToolGate, type ToolGate } from "./scanned_tools.ts";
import { createStreams } from "./streams.ts";
import type { RunnableServer } from "./types.ts";

/** How long a payment is taken to be there without asking. */
const PAYMENT_CHECK_MS = 60_000;

/** An empty set of sessions. */
export function createSessions(deps: SessionsDeps): Sessions {
  const { clock, store, log, metrics } = deps;
  const entries = new Map<string, Entry>();

  function matching(entry: Entry, key: SessionKey): Entry {
    // Who may not know of the session is told the same as if there were none. Nobody is a caller
    // like each user: a signed-in one must not end up in an interpreter that strangers share.
    // Addresses are not compared: phones change theirs, and an id that cannot be guessed is proof.
    if (entry.row.userId !== key.client.userId) throw sessionNotFound();
    if (entry.row.server !== key.name) {
      throw new AppError("conflict", "This Mcp-Session-Id belongs to a session of another server");
    }
    return entry;
  }

  async function find(key: SessionKey, intent: Intent): Promise<Entry> {
    const known = entries.get(key.id);
    if (known !== undefined) return matching(known, key);
    const ended = await store.has(key.id, clock.date());
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
    const streams = createStreams({ clock, nodeRoom: deps.eventRoom, nonce: instance.slice(0, 8) });
    const entry: Entry = {
      row: { id: key.id, instance, server: key.name, userId: key.client.userId },
      client: key.client,
      environment,
      server: null,
      paidAt: clock.now(),
      ready: promise,
      session: createSession(deps, streams.unrelated),
      streams,
      isLive: false,
      output: outputLog(log.child({ server: key.name, session: instance }), maskOf(environment)),
      uses: 0,
      lastActive: clock.now(),
      cancelTimer() {},
    };
    entries.set(key.id, entry);
    begin(entry).then(resolve, (error) => {
      abandon(entry);
      reject(error);
    });
    return entry;
  }

  async function begin(entry: Entry): Promise<Started> {
    const server = await admit(deps.admission, entry.row.server, entry.client);
    checkLimits(entries.values(), entry.client.key, deps);
    entry.server = server;
    const { session } = entry;
    let lost = false;
    const launched = await launch(deps.launch, server, {
      instance: entry.row.instance,
      environment: entry.environment,
      client: entry.client.key,
      ...session.events,
      onLog(log) {
        entry.output.write(log);
        session.events.onLog(log);
      },
      onEnd(reason) {
        lost = true;
        if (entry.isLive) void finish(entry, reason);
      },
    });
    if (launched.kind === "raised") {
      abandon(entry);
      return launched;
    }
    if (lost) throw new AppError("unavailable", "The session ended while it was starting", RETRY);
    session.start(launched, gateOf(entry, server));
    if (entries.get(entry.row.id) !== entry) {
      await session.close();
      throw sessionNotFound();
    }
    entry.isLive = true;
    metrics.sessionsActive += 1;
    metrics.sessionsStarted += 1;
    log.info("session.started", { server: entry.row.server, session: entry.row.instance });
    try {
      await store.begin(entry.row, clock.date());
    } catch (error) {
      await finish(entry, "not_recorded");
      throw error;
    }
    watchIdle(entry, deps.idleMs);
    return { kind: "active" };
  }

  function gateOf({ row, environment }: Entry, { scannedTools }: RunnableServer): ToolGate {
    // The name is the code's choice, and may say what it was given.
    const mask = maskOf(environment);
    return createToolGate({
      policy: deps.toolsPolicy,
      scanned: scannedTools,
      onRefused(name) {
        const tool = mask(name);
        log.warn("session.tool_refused", { server: row.server, session: row.instance, tool });
        deps.onToolRefused?.({ server: row.server, tool });
      },
    });
  }

  /** Ends the session when it is no longer paid for. @returns What to answer then. */
  async function endUnpaid(entry: Entry): Promise<AppError | null> {
    const refusal = entry.server && await unpaid(deps.admission, entry.server, entry.client);
    if (refusal === null) entry.paidAt = clock.now();
    else await finish(entry, "not_paid");
    return refusal;
  }

  /** @throws {AppError} `payment_required` when the session has ended for want of payment. */
  async function checkPaid(entry: Entry): Promise<void> {
    const isDue = clock.now() - entry.paidAt >= PAYMENT_CHECK_MS;
    const refusal = isDue ? await endUnpaid(entry) : null;
    if (refusal !== null) throw refusal;
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

  /** The session came to nothing. */
  function abandon(entry: Entry): void {
    forget(entry);
    entry.streams.close();
  }

  async function finish(entry: Entry, reason: string): Promise<void> {
    if (!forget(entry) || !entry.isLive) return;
    const { row } = entry;
    metrics.sessionsActive -= 1;
    metrics.sessionsEnded[reason] = (metrics.sessionsEnded[reason] ?? 0) + 1;
    log.info("session.ended", { server: row.server, session: row.instance, reason });
    try {
      await Promise.all([entry.session.close(), store.end(row, reason, clock.date())]);
    } catch (error) {
      log.error("session.end_failed", { server: row.server, session: row.instance, error });
    }
    entry.streams.close();
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
        await checkPaid(entry);
        entry.output.refill();
        return { kind: "done", value: await body(entry.session, entry.streams) };
      } finally {
        entry.uses -= 1;
        entry.lastActive = clock.now();
      }
    },

    async listen(key) {
      const entry = await find(key, "existing");
      const ready = await entry.ready;
      if (ready.kind === "raised") throw sessionNotFound();
      await checkPaid(entry);
      const { session, streams } = entry;
      return { session, streams };
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

    hangUp() {
      for (const { streams } of entries.values()) streams.standalone.interrupt(null);
    },
    list() {
      return [...entries.values()].filter((entry) => entry.isLive).map((entry) => ({
        instance: entry.row.instance,
        server: entry.row.server,
        userId: entry.row.userId,
        pid: entry.session.pid,
        state: stateOf(entry),
        lastActive: new Date(clock.date().getTime() - (clock.now() - entry.lastActive)),
      }));
    },

    async endInstance(instance) {
      const entry = [...entries.values()].find(({ row }) => row.instance === instance);
      if (entry === undefined) return false;
      await finish(entry, "ended_by_operator");
      return true;
    },

    async recheckPayment(name, userId) {
      const meant = [...entries.values()].filter(({ row, isLive }) =>
        isLive && row.server === name && row.userId === userId
      );
      await Promise.all(meant.map(endUnpaid));
    },

    async touch() {
      const live = [...entries.values()].filter((entry) => entry.isLive);
      await store.touch(live.map((entry) => entry.row.instance), clock.date());
    },

    async close() {
      await Promise.all([...entries.values()].map((entry) => finish(entry, "shutdown")));
    },
  };
}
