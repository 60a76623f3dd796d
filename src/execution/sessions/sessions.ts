/**
 * The client sessions of this node, by the value of `Mcp-Session-Id`, and their state table
 * (specification, "States and transitions"):
 *
 * - no session → active: a request with a new id; two at once make one session.
 * - active → active: a request with the same id; the inactivity timer restarts.
 * - active → ended: DELETE, the server's removal, or the loss of its sandbox.
 * - active → evicted: no request and no call in flight for the idle time.
 * - active → stored: its node ends, or has no memory for it (`depot`).
 * - stored → active: a request with the same id, at whichever node that can go on with it.
 *
 * A session of a paid server keeps the price that it began with, and ends with the right to run it:
 * when that is told (`recheckPayment`), else at a request a minute later.
 *
 * @module
 */
import { admit } from "../admission/admission.ts";
import { nodeDraining, sessionEndedEarly, sessionNotFound } from "../failures.ts";
import type { Streams } from "../streams/streams.ts";
import {
  checkLimits,
  createEntry,
  described,
  type Entry,
  matching,
  type Started,
} from "./entry.ts";
import { end, type Meant, meantOf, watchIdle } from "./ending.ts";
import { checkUnchanged } from "./environment.ts";
import { launch, type Run } from "./launch.ts";
import { prepareValues, recheckKept, runMasked } from "./prepare.ts";
import { Moves } from "../parked/moves.ts";
import { recordBegin } from "./recording.ts";
import { checkRights, endUnpaid } from "./rights.ts";
import { checkHeld, Elsewhere } from "../nodes/types.ts";
import { whereabouts } from "../nodes/whereabouts.ts";
import { gateOf } from "./gate.ts";
import type { ClientSession } from "./session.ts";
import type { KnownSession } from "./store.ts";
import type { Intent, LiveSession, SessionKey, SessionsDeps, Used } from "./types.ts";
import type { RunnableServer } from "../types.ts";

/** The client sessions of this node: finds, starts, counts and ends them. */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #moves: Moves;
  /** This node is about to end: sessions begin at another one. */
  isDraining = false;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#moves = new Moves(deps, {
      all: () => this.#live(),
      enter: (entry, server) => this.#enter(entry, server),
      start: (entry, server, run) => this.#start(entry, server, run),
      count: (entry) => this.#count(entry, "session.arrived", null),
      forget: (entry) => this.#forget(entry),
    });
  }

  async #find(key: SessionKey, intent: Intent): Promise<Entry> {
    const begin = (known: KnownSession | null) =>
      this.#add(key, (entry) => this.#begin(entry, known));
    if (key.isNew) return begin(null);
    const here = this.#entries.get(key.id);
    if (here !== undefined) return await this.#whenHere(here, key, intent);
    if (key.isForwarded) throw new Elsewhere(null);
    const { known, stored } = await whereabouts(this.#deps, this.#moves, key.id);
    const mayResume = stored !== null && await this.#moves.mayResume(stored, key);
    // Another first request may have come while the database answered.
    const meanwhile = this.#entries.get(key.id);
    if (meanwhile !== undefined) return await this.#whenHere(meanwhile, key, intent);
    if (mayResume) {
      return this.#add(key, (entry) =>
        this.#moves.resume(entry, stored).catch((error) => {
          // Another node has it, or it is no more: who wants a session may begin one.
          if (intent !== "initialize" || !this.#moves.isLost(entry, error)) throw error;
          return this.#begin(entry, known);
        }));
    }
    if (intent === "existing" || (known?.isRecent && intent === "begin")) throw sessionNotFound();
    return begin(known);
  }

  /** The entry, or what has become of it where it is just being stored. */
  async #whenHere(entry: Entry, key: SessionKey, intent: Intent): Promise<Entry> {
    if (entry.leaving === null) return matching(entry, key);
    await entry.leaving;
    return await this.#find(key, intent);
  }

  /** Adds the entry at once, so that a second first request finds it. */
  #add(key: SessionKey, begin: (entry: Entry) => Promise<Started>): Entry {
    const ready = Promise.withResolvers<Started>();
    const entry = createEntry(this.#deps, key, ready.promise);
    this.#entries.set(key.id, entry);
    begin(entry).then(ready.resolve, (error) => {
      this.#abandon(entry);
      ready.reject(error);
    });
    return entry;
  }

  async #begin(entry: Entry, known: KnownSession | null): Promise<Started> {
    if (this.isDraining) throw nodeDraining();
    const server = await admit(this.#deps.admission, entry.row.server, entry.client);
    this.#enter(entry, server);
    const error = await prepareValues(this.#deps, entry, server);
    if (error !== null) {
      this.#abandon(entry);
      return { kind: "raised", error };
    }
    const recording = await recordBegin(this.#deps, entry.row, known);
    const run: Run = (input) => launch(this.#deps.launch, server, input);
    const started = await this.#start(entry, server, run).catch(async (error) => {
      await recording.undo();
      throw error;
    });
    if (started.kind === "active") {
      this.#deps.metrics.sessionsStarted += 1;
      await this.#count(entry, "session.started", recording.written);
    } else {
      await recording.undo();
      this.#abandon(entry);
    }
    return started;
  }

  /** The session takes one of the places that there are. */
  #enter(entry: Entry, server: RunnableServer): void {
    checkLimits(this.#entries.values(), entry.client.key, this.#deps);
    entry.server = server;
  }

  async #start(entry: Entry, server: RunnableServer, run: Run): Promise<Started> {
    const { session } = entry;
    let lost = false;
    const launched = await runMasked(this.#deps, entry, run, (reason) => {
      lost = true;
      if (entry.isLive) void this.#finish(entry, reason);
    });
    if (launched.kind === "raised") return launched;
    if (lost) {
      if (launched.kind === "running") await launched.interpreter.close();
      throw sessionEndedEarly();
    }
    if (launched.kind === "running") entry.packages = launched.packages;
    session.start(launched, gateOf(this.#deps, entry, server));
    if (this.#entries.get(entry.row.id) !== entry) {
      await session.close();
      throw sessionNotFound();
    }
    return { kind: "active" };
  }

  /** From now on the session counts, and may end for being idle. */
  async #count(entry: Entry, event: string, written: Promise<void> | null): Promise<void> {
    const { metrics, log } = this.#deps;
    entry.isLive = true;
    metrics.sessionsActive += 1;
    log.info(event, { server: entry.row.server, session: entry.row.instance });
    try {
      await written;
    } catch (error) {
      await this.#finish(entry, "not_recorded");
      throw error;
    }
    if (this.#entries.get(entry.row.id) !== entry) return;
    watchIdle(this.#deps, entry, () => void this.#finish(entry, "idle"));
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

  readonly #finish = async (entry: Entry, reason: string): Promise<void> => {
    if (!this.#forget(entry) || !entry.isLive) return;
    await end(this.#deps, entry, reason);
  };

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
    entry.uses += 1;
    entry.lastActive = clock.now();
    try {
      const ready = await entry.ready;
      if (ready.kind === "raised") return ready;
      await checkHeld(this.#deps.ownership);
      if (intent === "initialize") checkUnchanged(entry.environment, key.environment);
      await checkRights(this.#deps, entry, key.client, this.#finish);
      entry.output.refill();
      return { kind: "done", value: await body(entry.session, entry.streams) };
    } finally {
      entry.uses -= 1;
      entry.lastActive = clock.now();
    }
  }

  /** The session's streams; asking for them is no activity. @throws {AppError} When there is none. */
  async listen(key: SessionKey): Promise<Pick<Entry, "session" | "streams" | "hasArrived">> {
    const entry = await this.#find(key, "existing");
    const ready = await entry.ready;
    if (ready.kind === "raised") throw sessionNotFound();
    await checkHeld(this.#deps.ownership);
    await checkRights(this.#deps, entry, key.client, this.#finish);
    return entry;
  }

  /**
   * Ends a session.
   *
   * @throws {AppError} `not_found`, or `conflict` when the id belongs to another server's session.
   */
  async end(key: SessionKey): Promise<void> {
    const entry = this.#entries.get(key.id);
    await entry?.leaving;
    if (entry === undefined || entry !== this.#entries.get(key.id)) {
      if (key.isForwarded) throw new Elsewhere(null);
      await this.#moves.end(key);
    } else {
      await checkHeld(this.#deps.ownership);
      await this.#finish(matching(entry, key), "deleted");
    }
  }

  /** Ends all that are meant. @returns How many. */
  async endAll(meant: Meant, reason: string): Promise<number> {
    const ending = await meantOf([...this.#entries.values()], meant);
    await Promise.all(ending.map((entry) => this.#finish(entry, reason)));
    return ending.length;
  }

  /** Ends the connections on which clients listen: they would keep the process from ending. */
  hangUp(): void {
    for (const { streams } of this.#entries.values()) streams.standalone.interrupt(null);
  }

  list(): LiveSession[] {
    return this.#live().map((entry) => described(entry, this.#deps.clock));
  }

  /** Ends a session for the operator; false when it is gone already. */
  async endInstance(instance: string): Promise<boolean> {
    return await this.endAll((row) => row.instance === instance, "ended_by_operator") > 0;
  }

  /** Ends the user's sessions of a server that they may no longer run for want of payment. */
  async recheckPayment(name: string, userId: string): Promise<void> {
    const all = this.#live().filter(({ row }) => row.server === name && row.userId === userId);
    await Promise.all(all.map((entry) => endUnpaid(this.#deps, entry, this.#finish)));
  }

  /** Takes kept values that are gone from sessions that have them. @param userId Null: any user's. */
  async recheckKept(name: string, userId: string | null): Promise<void> {
    const meant = [...this.#entries.values()].filter(({ row }) =>
      row.server === name && row.userId !== null && (userId === null || row.userId === userId)
    );
    await Promise.all(meant.map((entry) => recheckKept(this.#deps, entry, this.#finish)));
  }

  /** Tells the database which sessions live. */
  async touch(): Promise<void> {
    await this.#deps.store.touch(this.list().map((one) => one.instance), this.#deps.clock.date());
  }

  /** Stores what can go on elsewhere, for at most `ms`: this node is about to end. */
  async store(ms: number): Promise<void> {
    await this.#moves.store(ms);
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    await this.endAll(() => true, "shutdown");
  }
}
