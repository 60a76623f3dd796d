/**
 * The client sessions of this node, by the value of `Mcp-Session-Id`, and their state table
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
import type { AppError } from "../../errors.ts";
import { admit, unpaid } from "../admission/admission.ts";
import { sessionEndedEarly, sessionNotFound } from "../failures.ts";
import type { Streams } from "../streams/streams.ts";
import { checkLimits, createEntry, type Entry, matching, type Started, stateOf } from "./entry.ts";
import { checkUnchanged } from "./environment.ts";
import { launch } from "./launch.ts";
import { createMasking, maskedStart } from "./masking.ts";
import { record, type Recording } from "./recording.ts";
import { createToolGate, type ToolGate } from "./scanned_tools.ts";
import type { ClientSession } from "./session.ts";
import type { Intent, LiveSession, SessionKey, SessionsDeps, Used } from "./types.ts";
import type { RunnableServer } from "../types.ts";
import { givenTo, prepareValues } from "./prepare.ts";

/** How long a payment is taken to be there without asking. */
const PAYMENT_CHECK_MS = 60_000;

/** The client sessions of this node: finds, starts, counts and ends them. */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #entries = new Map<string, Entry>();

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
  }

  async #find(key: SessionKey, intent: Intent): Promise<Entry> {
    if (key.isNew) return this.#add(key, false);
    const known = this.#entries.get(key.id);
    if (known !== undefined) return matching(known, key);
    const ended = await this.#deps.store.has(key.id, this.#deps.clock.date());
    // Another first request may have come while the database answered.
    const meanwhile = this.#entries.get(key.id);
    if (meanwhile !== undefined) return matching(meanwhile, key);
    if (intent === "existing" || (ended && intent === "begin")) throw sessionNotFound();
    return this.#add(key, ended);
  }

  /** Adds the entry at once, so that a second first request finds it. `ended`: the id had one. */
  #add(key: SessionKey, ended: boolean): Entry {
    const ready = Promise.withResolvers<Started>();
    const entry = createEntry(this.#deps, key, ready.promise);
    this.#entries.set(key.id, entry);
    this.#begin(entry, ended).then(ready.resolve, (error) => {
      this.#abandon(entry);
      ready.reject(error);
    });
    return entry;
  }

  async #begin(entry: Entry, ended: boolean): Promise<Started> {
    const { admission, store, log, clock } = this.#deps;
    const server = await admit(admission, entry.row.server, entry.client);
    checkLimits(this.#entries.values(), entry.client.key, this.#deps);
    entry.server = server;
    const recording = record({ store, log, now: () => clock.date() }, entry.row, ended);
    const started = await this.#launch(entry, server).catch(async (error) => {
      await recording.undo();
      throw error;
    });
    if (started.kind === "active") await this.#count(entry, recording);
    else {
      await recording.undo();
      this.#abandon(entry);
    }
    return started;
  }

  async #launch(entry: Entry, server: RunnableServer): Promise<Started> {
    const error = await prepareValues(this.#deps, entry, server);
    if (error !== null) return { kind: "raised", error };
    const { session } = entry;
    const masking = createMasking(entry.values.secrets);
    let lost = false;
    const launched = maskedStart(
      await launch(this.#deps.launch, server, {
        ...givenTo(entry, masking),
        onEnd: (reason) => {
          lost = true;
          if (entry.isLive) void this.#finish(entry, reason);
        },
      }),
      masking,
    );
    if (launched.kind === "raised") return launched;
    if (lost) {
      if (launched.kind === "running") await launched.interpreter.close();
      throw sessionEndedEarly();
    }
    session.start(launched, this.#gateOf(entry, server));
    if (this.#entries.get(entry.row.id) !== entry) {
      await session.close();
      throw sessionNotFound();
    }
    return { kind: "active" };
  }

  /** From now on the session counts, and may end for being idle. */
  async #count(entry: Entry, { written }: Recording): Promise<void> {
    const { metrics, log, idleMs } = this.#deps;
    entry.isLive = true;
    metrics.sessionsActive += 1;
    metrics.sessionsStarted += 1;
    log.info("session.started", { server: entry.row.server, session: entry.row.instance });
    try {
      await written;
    } catch (error) {
      await this.#finish(entry, "not_recorded");
      throw error;
    }
    this.#watchIdle(entry, idleMs);
  }

  #gateOf({ row, mask }: Entry, { scannedTools }: RunnableServer): ToolGate {
    const { log, toolsPolicy, onToolRefused } = this.#deps;
    // The name is the code's choice, and may say what it was given.
    return createToolGate({
      policy: toolsPolicy,
      scanned: scannedTools,
      onRefused(name) {
        const tool = mask(name);
        log.warn("session.tool_refused", { server: row.server, session: row.instance, tool });
        onToolRefused?.({ server: row.server, tool });
      },
    });
  }

  /** Ends the session when it is no longer paid for. @returns What to answer then. */
  async #endUnpaid(entry: Entry): Promise<AppError | null> {
    const { admission, clock } = this.#deps;
    const refusal = entry.server && await unpaid(admission, entry.server, entry.client);
    if (refusal === null) entry.paidAt = clock.now();
    else await this.#finish(entry, "not_paid");
    return refusal;
  }

  /** @throws {AppError} `payment_required` when the session has ended for want of payment. */
  async #checkPaid(entry: Entry): Promise<void> {
    const isDue = this.#deps.clock.now() - entry.paidAt >= PAYMENT_CHECK_MS;
    const refusal = isDue ? await this.#endUnpaid(entry) : null;
    if (refusal !== null) throw refusal;
  }

  #watchIdle(entry: Entry, ms: number): void {
    const { clock, idleMs } = this.#deps;
    if (this.#entries.get(entry.row.id) !== entry) return;
    entry.cancelTimer = clock.after(ms, () => {
      const idle = entry.uses > 0 ? 0 : clock.now() - entry.lastActive;
      if (idle >= idleMs) void this.#finish(entry, "idle");
      else this.#watchIdle(entry, idleMs - idle);
    });
  }

  #forget(entry: Entry): boolean {
    entry.cancelTimer();
    return this.#entries.get(entry.row.id) === entry && this.#entries.delete(entry.row.id);
  }

  /** The session came to nothing. */
  #abandon(entry: Entry): void {
    this.#forget(entry);
    entry.streams.close();
  }

  async #finish(entry: Entry, reason: string): Promise<void> {
    if (!this.#forget(entry) || !entry.isLive) return;
    const { metrics, log, store, clock } = this.#deps;
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

  #live(): Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.isLive);
  }

  /**
   * Runs `body` with the session, which counts as active meanwhile.
   *
   * @throws {AppError} When there is no such session, or none may be begun.
   */
  async use<T>(
    key: SessionKey,
    intent: Intent,
    body: (session: ClientSession, streams: Streams) => Promise<T>,
  ): Promise<Used<T>> {
    const { clock } = this.#deps;
    const entry = await this.#find(key, intent);
    if (intent === "initialize") checkUnchanged(entry.environment, key.environment);
    entry.uses += 1;
    entry.lastActive = clock.now();
    try {
      const ready = await entry.ready;
      if (ready.kind === "raised") return ready;
      await this.#checkPaid(entry);
      entry.output.refill();
      return { kind: "done", value: await body(entry.session, entry.streams) };
    } finally {
      entry.uses -= 1;
      entry.lastActive = clock.now();
    }
  }

  /**
   * The session's streams; asking for them is no activity.
   *
   * @throws {AppError} When there is no such session.
   */
  async listen(key: SessionKey): Promise<{ session: ClientSession; streams: Streams }> {
    const entry = await this.#find(key, "existing");
    const ready = await entry.ready;
    if (ready.kind === "raised") throw sessionNotFound();
    await this.#checkPaid(entry);
    const { session, streams } = entry;
    return { session, streams };
  }

  /**
   * Ends a session.
   *
   * @throws {AppError} `not_found`, or `conflict` when the id belongs to another server's session.
   */
  async end(key: SessionKey): Promise<void> {
    const entry = this.#entries.get(key.id);
    if (entry === undefined) throw sessionNotFound();
    await this.#finish(matching(entry, key), "deleted");
  }

  /** Ends every session of a server. */
  async endServer(name: string): Promise<void> {
    const ending = [...this.#entries.values()].filter((entry) => entry.row.server === name);
    await Promise.all(ending.map((entry) => this.#finish(entry, "server_removed")));
  }

  /** Ends the connections on which clients listen: they would keep the process from ending. */
  hangUp(): void {
    for (const { streams } of this.#entries.values()) streams.standalone.interrupt(null);
  }

  list(): LiveSession[] {
    const { clock } = this.#deps;
    return this.#live().map((entry) => ({
      instance: entry.row.instance,
      server: entry.row.server,
      userId: entry.row.userId,
      pid: entry.session.pid,
      state: stateOf(entry),
      lastActive: new Date(clock.date().getTime() - (clock.now() - entry.lastActive)),
    }));
  }

  /** Ends a session for the operator; false when it is gone already. */
  async endInstance(instance: string): Promise<boolean> {
    const entry = [...this.#entries.values()].find(({ row }) => row.instance === instance);
    if (entry === undefined) return false;
    await this.#finish(entry, "ended_by_operator");
    return true;
  }

  /** Ends the user's sessions of a server that they may no longer run for want of payment. */
  async recheckPayment(name: string, userId: string): Promise<void> {
    const meant = ({ row }: Entry) => row.server === name && row.userId === userId;
    await Promise.all(this.#live().filter(meant).map((entry) => this.#endUnpaid(entry)));
  }

  /** Tells the database which sessions live. */
  async touch(): Promise<void> {
    const { store, clock } = this.#deps;
    await store.touch(this.#live().map((entry) => entry.row.instance), clock.date());
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => this.#finish(entry, "shutdown")));
  }
}
