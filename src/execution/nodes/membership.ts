/**
 * This node among others: it renews the lease by which it holds its sessions, gives them up when it
 * cannot, and takes others for lost that have stopped (`docs/decisions/0041-nodes-and-their-sessions.md`).
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import type { Clock } from "../clock.ts";
import type { NodeStore } from "./store.ts";
import type { Ownership, Peer } from "./types.ts";

/** What a node needs to be one of several. */
export interface MembershipDeps {
  /** Connections for this alone: who waits for others to be given back loses the lease. */
  connect: () => NodeStore;
  clock: Clock;
  /** The time of day in milliseconds, as the machine has it. */
  wall: () => number;
  log: Logger;
  newId: () => string;
  /** Where other nodes reach this one. */
  url: string;
  leaseMs: number;
  /** What this node signs with. */
  publicKey: Uint8Array<ArrayBuffer>;
  /** Ends all sessions of this node. */
  onLapse: () => Promise<void>;
}

const BEATS_PER_LEASE = 5;
/** Share of a lease after which its holder gives up what it holds. */
const OWN_SHARE = 0.8;
/** Share of a lease that the database has for an answer, before another connection is tried. */
const ANSWER_SHARE = 0.3;
/** Clocks that drift apart by more have been moved, or the machine has slept. */
const SKEW_MS = 2000;

interface Seen {
  peer: Peer;
  /** Since when it has had this beat, as far as is known here. */
  since: number;
}

/** The database has not answered in time. */
class LateError extends Error {}

/** A node's place among the nodes. */
export class Membership implements Ownership {
  readonly #deps: MembershipDeps;
  #store: NodeStore;
  #id: string | null = null;
  /** A run that has lapsed and may still have its row. */
  #former: string | null = null;
  #beat = 0;
  /** When the last renewal that worked was sent, by both clocks. */
  #renewed = { at: 0, wall: 0 };
  readonly #seen = new Map<string, Seen>();
  #working: Promise<void> | null = null;
  #ending: Promise<unknown> = Promise.resolve();
  #failing = false;
  #left = false;
  #cancelBeat: () => void = () => {};
  #cancelLapse: () => void = () => {};

  constructor(deps: MembershipDeps) {
    this.#deps = deps;
    this.#store = deps.connect();
  }

  get id(): string | null {
    return this.#id;
  }

  /** How often this run has renewed its lease. */
  get beat(): number {
    return this.#beat;
  }

  /** Joins the nodes, and stays one of them. @throws {Error} When the database does not answer. */
  async start(): Promise<void> {
    await this.#join();
    this.#schedule();
  }

  /** Leaves the nodes: what was held is free. */
  async close(): Promise<void> {
    this.#left = true;
    this.#cancelBeat();
    this.#cancelLapse();
    await this.#working;
    const id = this.#id ?? this.#former;
    this.#id = null;
    try {
      if (id !== null) await this.#answer(this.#store.leave(id));
    } catch (error) {
      this.#deps.log.warn("node.not_left", { error });
    }
    await this.#store.close();
  }

  hold(): boolean | Promise<boolean> {
    if (this.#id === null) return false;
    const { clock, wall } = this.#deps;
    const age = clock.now() - this.#renewed.at;
    // The timer may be late.
    if (age >= this.#ownMs) this.#lapse("not_renewed");
    else if (Math.abs(wall() - this.#renewed.wall - age) < SKEW_MS) return true;
    else return this.#confirm(this.#id);
    return false;
  }

  /** A node that lives, as far as is known here or, else, in the database. */
  async peer(id: string): Promise<Peer | null> {
    const known = this.#seen.get(id);
    if (known !== undefined) return known.peer;
    return await this.#answer(this.#store.find(id));
  }

  get #ownMs(): number {
    return OWN_SHARE * this.#deps.leaseMs;
  }

  async #confirm(id: string): Promise<boolean> {
    await this.#work();
    if (this.#failing) await this.#pause();
    // While the database does not answer, that it will is waited for until the lease has lapsed.
    return this.#id === id && await this.hold();
  }

  get #beatMs(): number {
    return this.#deps.leaseMs / BEATS_PER_LEASE;
  }

  /** Waits for a beat. */
  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#deps.clock.after(this.#beatMs, resolve));
  }

  #schedule(): void {
    this.#cancelBeat = this.#deps.clock.after(this.#beatMs, () => {
      if (this.#left) return;
      void this.#work();
      this.#schedule();
    });
  }

  /** One round at a time: renews the lease, or joins again. Never rejects. */
  #work(): Promise<void> {
    this.#working ??= this.#round().then(() => {
      this.#failing = false;
    }, (error) => {
      // What others do meanwhile is not known.
      this.#seen.clear();
      if (!this.#failing) this.#deps.log.warn("node.not_renewed", { error });
      this.#failing = true;
    }).finally(() => this.#working = null);
    return this.#working;
  }

  async #round(): Promise<void> {
    if (this.#left) return;
    if (this.#id === null) await this.#join();
    else await this.#renew(this.#id);
  }

  async #join(): Promise<void> {
    // Nothing may run any more of what the former run held.
    await this.#ending;
    const { clock, wall, log, newId, url, publicKey, leaseMs } = this.#deps;
    const id = newId();
    const sent = { at: clock.now(), wall: wall() };
    await this.#answer(this.#store.join({ id, url, publicKey, leaseMs }, this.#former));
    this.#former = null;
    this.#beat = 0;
    this.#id = id;
    log.info("node.joined", { node: id, url });
    this.#extend(sent);
  }

  async #renew(id: string): Promise<void> {
    const { clock, wall } = this.#deps;
    const sent = { at: clock.now(), wall: wall() };
    const beat = await this.#answer(this.#store.raiseBeat(id));
    if (this.#id !== id) return;
    if (beat === null) return this.#lapse("lost");
    this.#beat = beat;
    this.#extend(sent);
    await this.#observe(id);
  }

  /** The lease is renewed as of when that was sent. */
  #extend(sent: { at: number; wall: number }): void {
    this.#renewed = sent;
    this.#cancelLapse();
    const left = this.#ownMs - (this.#deps.clock.now() - sent.at);
    this.#cancelLapse = this.#deps.clock.after(
      Math.max(0, left),
      () => this.#lapse("not_renewed"),
    );
  }

  /** Looks at the others, and removes those that have stopped for as long as their lease. */
  async #observe(own: string): Promise<void> {
    const { clock, log } = this.#deps;
    const sent = clock.now();
    const peers = await this.#answer(this.#store.list());
    const received = clock.now();
    for (const peer of peers) {
      const seen = this.#seen.get(peer.id);
      if (peer.id === own) continue;
      if (seen?.peer.beat !== peer.beat) this.#seen.set(peer.id, { peer, since: received });
      else if (sent - seen.since >= peer.leaseMs && await this.#store.removeLost(peer)) {
        this.#seen.delete(peer.id);
        log.warn("node.lost", { node: peer.id, url: peer.url });
      }
    }
    const there = new Set(peers.map(({ id }) => id));
    for (const id of this.#seen.keys()) if (!there.has(id)) this.#seen.delete(id);
  }

  /** Others may take what this node held. */
  #lapse(reason: "lost" | "not_renewed"): void {
    if (this.#id === null || this.#left) return;
    const { clock, log, onLapse, leaseMs } = this.#deps;
    log.error("node.lapsed", { node: this.#id, reason });
    this.#cancelLapse();
    this.#former = this.#id;
    this.#id = null;
    this.#seen.clear();
    const ended = onLapse().catch((error) => log.error("node.end_failed", { error }));
    // The database that each end is written to may be away.
    const late = Promise.withResolvers<void>();
    const cancel = clock.after(leaseMs, late.resolve);
    this.#ending = Promise.race([ended, late.promise]).finally(cancel);
  }

  /** What the database answers, or a {@link LateError}: then other connections are used. */
  async #answer<T>(asked: Promise<T>): Promise<T> {
    const { clock, leaseMs, connect } = this.#deps;
    const store = this.#store;
    const late = Promise.withResolvers<never>();
    const cancel = clock.after(ANSWER_SHARE * leaseMs, () => {
      late.reject(new LateError("The database has not answered in time"));
    });
    asked.catch(() => {});
    try {
      return await Promise.race([asked, late.promise]);
    } catch (error) {
      if (error instanceof LateError && this.#store === store && !this.#left) {
        this.#store = connect();
        store.close().catch(() => {});
      }
      throw error;
    } finally {
      cancel();
    }
  }
}
