/**
 * Spare sessions of this node: of servers in demand, sessions that have started wait for clients, so
 * that `initialize` is only a message. How many follows demand, within bounds; they give way to
 * sessions that clients have.
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import type { ServerInfo } from "../../protocol/mcp.ts";
import { type AdmissionDeps, mayRun } from "../admission/admission.ts";
import type { Clock } from "../clock.ts";
import type { SpareHosts } from "../hosts/types.ts";
import type { Interpreter } from "../interpreters/types.ts";
import { type ServerCode, serverCode, type ServerCodeDeps } from "../sessions/server_code.ts";
import type { RunnableServer } from "../types.ts";
import { createBars } from "./bars.ts";
import { createDemand } from "./demand.ts";
import type { SessionEvents, Unfitness } from "./late.ts";
import type { SpareMetrics } from "./metrics.ts";
import { type Spare, startSpare } from "./spare.ts";

export interface SparesDeps
  extends Pick<AdmissionDeps, "findRunnable" | "policy" | "capabilities"> {
  hosts: SpareHosts;
  code: ServerCodeDeps;
  /** Most spare sessions at once. */
  most: number;
  clock: Clock;
  log: Logger;
  metrics: SpareMetrics;
  /** Bytes of the machine's memory, for tests; default: what the system says. */
  memory?: () => { available: number; total: number };
}

/** The spare sessions of a node. */
export interface Spares {
  /**
   * A spare session of just this version of the server, handed to `client`; null when none waits.
   * Only for sessions without variables of their own.
   *
   * @throws {AppError} `unavailable` when the node is full.
   */
  take(
    server: RunnableServer,
    client: string,
    events: SessionEvents,
  ): { interpreter: Interpreter; info: ServerInfo; code: ServerCode } | null;
  /** A session without variables of its own has begun, from a spare one or otherwise. */
  began(server: string): void;
  /** Ends those of a server that was changed or removed. */
  endServer(server: string): Promise<void>;
  /** Ends all, and makes no more. */
  close(): Promise<void>;
}

interface Waiting {
  server: string;
  /** The version of the server that runs in it. */
  version: string;
  code: ServerCode;
  spare: Spare;
}

/** Until sessions that have just begun answer. */
const SOON_MS = 500;
const TEND_MS = 1000;
/** Until another try when no interpreter could be started. */
const RETRY_MS = 30_000;
/** Share of the machine's memory that must be free. */
const FREE_SHARE = 0.1;
/** How much more wanted a server must be to take the place of another's spare session. */
const MARGIN = 2;

function versionOf({ revision, archiveSha256, folder, entrypoint }: RunnableServer): string {
  return JSON.stringify([revision, archiveSha256, folder, entrypoint]);
}

class SpareKeeper implements Spares {
  readonly #deps: SparesDeps;
  readonly #demand;
  readonly #bars;
  readonly #waiting = new Set<Waiting>();
  #making: { server: string; isOutdated: boolean } | null = null;
  #tryAt = -Infinity;
  #cancelTimer: (() => void) | null = null;
  #closed = false;

  constructor(deps: SparesDeps) {
    this.#deps = deps;
    this.#demand = createDemand(deps.clock.now);
    this.#bars = createBars(deps.clock.now);
  }

  take(
    server: RunnableServer,
    client: string,
    events: SessionEvents,
  ): { interpreter: Interpreter; info: ServerInfo; code: ServerCode } | null {
    const { metrics, hosts } = this.#deps;
    const version = versionOf(server);
    for (const waiting of this.#of(server.name)) {
      if (waiting.version !== version) void this.#end(waiting);
    }
    const found = this.#of(server.name)[0];
    if (found === undefined) {
      if (this.#demand.worth(server.name) > 0) metrics.misses++;
      // The session that is about to begin needs room.
      if (hosts.room() <= 0) this.#giveWay();
      return null;
    }
    const interpreter = found.spare.hand(client, events);
    this.#forget(found);
    this.#bars.clear(server.name);
    metrics.hits++;
    return { interpreter, info: found.spare.info, code: found.code };
  }

  began(server: string): void {
    if (this.#closed) return;
    this.#demand.note(server);
    this.#tendIn(SOON_MS);
  }

  #of(server: string): Waiting[] {
    return [...this.#waiting].filter((waiting) => waiting.server === server);
  }

  #forget(waiting: Waiting): boolean {
    const was = this.#waiting.delete(waiting);
    this.#deps.metrics.waiting = this.#waiting.size;
    return was;
  }

  async #end(waiting: Waiting): Promise<void> {
    if (this.#forget(waiting)) await waiting.spare.close();
  }

  /** How wanted a spare session is: the demand for its server, shared by all of that. */
  #valueOf({ server }: Waiting): number {
    return this.#demand.weight(server) / this.#of(server).length;
  }

  #leastWanted(): Waiting | undefined {
    return [...this.#waiting].sort((a, b) => this.#valueOf(a) - this.#valueOf(b))[0];
  }

  #giveWay(): void {
    const least = this.#leastWanted();
    if (least !== undefined) void this.#end(least);
  }

  #tendIn(ms: number): void {
    this.#cancelTimer ??= this.#deps.clock.after(ms, () => {
      this.#cancelTimer = null;
      this.#tend();
    });
  }

  #isMemoryShort(): boolean {
    const { memory = Deno.systemMemoryInfo } = this.#deps;
    const { available, total } = memory();
    return available < FREE_SHARE * total;
  }

  #tend(): void {
    const { hosts, clock } = this.#deps;
    for (const waiting of this.#waiting) {
      if (!this.#demand.isKept(waiting.server)) void this.#end(waiting);
    }
    const isWanted = this.#demand.wanted().length > 0;
    if (this.#waiting.size > 0 || isWanted) this.#tendIn(TEND_MS);
    const isMemoryShort = (isWanted || this.#waiting.size > 0) && this.#isMemoryShort();
    if (hosts.room() < 0 || isMemoryShort) return this.#giveWay();
    if (this.#making !== null || clock.now() < this.#tryAt || !hosts.mayOpenSpare()) return;
    const next = this.#next();
    if (next !== null) void this.#make(next);
  }

  /** The server that is to have one more, if any; another may have to give up its own for that. */
  #next(): string | null {
    const value = (server: string) => this.#demand.weight(server) / (this.#of(server).length + 1);
    const lacking = this.#demand.wanted().filter((server) =>
      !this.#bars.isBarred(server) && this.#of(server).length < this.#demand.worth(server)
    );
    const [next] = lacking.sort((a, b) => value(b) - value(a));
    if (next === undefined) return null;
    if (this.#waiting.size < this.#deps.most) return next;
    const least = this.#leastWanted()!;
    if (least.server === next || MARGIN * this.#valueOf(least) >= value(next)) return null;
    void this.#end(least);
    return next;
  }

  async #make(server: string): Promise<void> {
    const making = { server, isOutdated: false };
    this.#making = making;
    try {
      const { findRunnable, code, hosts } = this.#deps;
      const record = await findRunnable(server);
      if (record === null || !mayRun(this.#deps, record)) {
        return this.#demand.forget(server);
      }
      const given = await serverCode(code, record);
      if (making.isOutdated) return;
      const spare = await startSpare(hosts, given);
      if (typeof spare !== "string" && !making.isOutdated && spare.fault === null) {
        return this.#keep({ server, version: versionOf(record), code: given, spare });
      }
      if (typeof spare !== "string") await spare.close();
      const fault = typeof spare === "string" ? spare : spare.fault;
      if (!making.isOutdated && fault !== null) this.#refuse(server, fault);
    } catch (error) {
      this.#tryAt = this.#deps.clock.now() + RETRY_MS;
      if (!this.#closed) this.#deps.log.info("spare.not_started", { server, error });
    } finally {
      this.#making = null;
    }
  }

  #keep(waiting: Waiting): void {
    const { server, spare } = waiting;
    this.#waiting.add(waiting);
    this.#deps.metrics.waiting = this.#waiting.size;
    spare.onFault = (why) => {
      if (!this.#forget(waiting)) return;
      this.#refuse(server, why);
      void spare.close();
    };
  }

  #refuse(server: string, why: Unfitness): void {
    const { metrics, log } = this.#deps;
    metrics.unfit[why] = (metrics.unfit[why] ?? 0) + 1;
    this.#bars.bar(server);
    log.info("spare.unfit", { server, why });
  }

  async endServer(server: string): Promise<void> {
    if (this.#making?.server === server) this.#making.isOutdated = true;
    this.#bars.clear(server);
    await Promise.all(this.#of(server).map((waiting) => this.#end(waiting)));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    if (this.#making !== null) this.#making.isOutdated = true;
    await Promise.all([...this.#waiting].map((waiting) => this.#end(waiting)));
  }
}

/** Keeps spare sessions; there are none before there is demand. */
export function createSpares(deps: SparesDeps): Spares {
  return new SpareKeeper(deps);
}
