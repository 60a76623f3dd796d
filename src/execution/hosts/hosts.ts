/**
 * The supervisor of the session hosts: which session goes into which host, booted sessions that
 * wait, and how many there may be.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { ProcessExit } from "../../sandbox/process.ts";
import { type ReadUsage, readUsage } from "../../sandbox/usage.ts";
import type { Walls } from "../../sandbox/walls.ts";
import { startInterpreter } from "../interpreters/interpreter.ts";
import type { Slot } from "../interpreters/slot.ts";
import type { Interpreter, InterpreterInput } from "../interpreters/types.ts";
import { type Boots, createBoots } from "./boots.ts";
import type { Ending } from "./endings.ts";
import { createHost, type Host, type Tenant } from "./host.ts";
import { chooseImage, type ImageCatalogue } from "./images.ts";
import { dataLimitMb, HEAP_MB, residentLimitMb } from "./limits.ts";
import type { HostKill, HostStats, SessionHosts } from "./types.ts";
import { createWarmPool } from "./warm.ts";
import { createHostWatch } from "./watch.ts";

export interface SessionHostsOptions {
  /** What setup prepared: folder of the interpreter, and of the hosts' code cache; absolute. */
  interpreter: { folder: string; cache: string; catalogue: ImageCatalogue };
  /** Whether servers may have packages, and so the images that hold some. */
  withPackages: boolean;
  /** Most megabytes of linear memory of one session. */
  memoryMb: number;
  /** Sessions of one user of one server in one host process. */
  sessionsPerHost: number;
  /** Booted sessions that wait, each in a host of its own. */
  warmSessions: number;
  /** Sessions of this node at once. */
  maxSessions: number;
  /** Milliseconds from the start of a session's interpreter to the kill of a host that has none. */
  bootTimeoutMs?: number | undefined;
  /** Milliseconds an entrypoint may run. */
  loadDeadlineMs: number;
  /** Milliseconds from the interrupt of a call that is out of time to the kill of its host. */
  interruptGraceMs?: number | undefined;
  /** Milliseconds that a session beside others has to end before its host is killed. */
  closeGraceMs?: number | undefined;
  /** What the system puts around the hosts: {@link raiseHostWalls}. */
  walls: Walls;
  log: Logger;
  /** What the hosts use, for tests; default: what the system says. */
  readUsage?: ReadUsage | undefined;
  /** Main module of the hosts, for tests. */
  hostModule?: URL;
}

// Workers that come and go leave a little behind in their process.
const SESSIONS_EVER_PER_HOST = 64;
const BOOT_TIMEOUT_MS = 60_000;
const INTERRUPT_GRACE_MS = 2000;
// Long, as its neighbours go with it: on a busy machine an honest session takes its time.
const CLOSE_GRACE_MS = 10_000;
/** More at once only delay each other. */
const BOOTS_AT_ONCE = Math.max(2, navigator.hardwareConcurrency);
/** Whose boots those of the warm pool are; no client has this key. */
const NOBODY = "";
const RETRY_AFTER_SECONDS = "5";
const BLIND = "The system does not say what processes use (cat or ps is missing): session hosts " +
  "that use too much memory or processor are found by their deadlines only";

class HostSupervisor implements SessionHosts {
  readonly #options: SessionHostsOptions;
  readonly #hosts = new Set<Host>();
  readonly #listeners: ((kill: HostKill) => void)[] = [];
  readonly #warm;
  readonly #watch;
  readonly #boots: Boots;
  #sessions = 0;
  #closed = false;

  constructor(options: SessionHostsOptions) {
    const { log, memoryMb, interpreter, withPackages } = options;
    // Which of them a warm session goes on with is not known yet.
    const images = withPackages ? Object.keys(interpreter.catalogue.images) : [];
    this.#options = options;
    this.#boots = createBoots(BOOTS_AT_ONCE);
    this.#warm = createWarmPool({
      target: options.warmSessions,
      newHost: () => this.#newHost(),
      boot: (host) =>
        // A rehearsal takes the place of a session for a moment.
        this.#boots.run(NOBODY, () => host.boot(images, options.sessionsPerHost > 1)),
      // Someone waits for a session: leave the processor to that.
      mayStart: () => this.#boots.pending === 0 && !this.#closed,
      onFailure: (error) => log.warn("a warm session could not be started", { error }),
    });
    this.#watch = createHostWatch({
      hosts: () => this.#hosts,
      readUsage: options.readUsage ?? readUsage,
      memoryLimitMb: (size) => residentLimitMb(size, memoryMb),
      onBlind: () => log.warn("sandbox.unwatched", { reason: BLIND }),
    });
    this.#warm.refill();
  }

  #onExit(host: Host, exit: ProcessExit, { reason, message }: Ending): void {
    this.#hosts.delete(host);
    const server = host.tenant?.server ?? null;
    if (server === null) this.#warm.refillSoon();
    if (reason === "closed" || reason === "shutdown") return;
    if (server !== null) {
      for (const listener of this.#listeners) listener({ server, reason, message });
    }
    const { code, signal, fault } = exit;
    // The code of the server may have written it: shown, escaped by the logger, never parsed.
    const stderr = exit.stderr.slice(-500);
    const fields = { server, reason, message, fault, code, signal, stderr };
    this.#options.log.warn("session host ended", fields);
  }

  #newHost(): Host {
    const { interpreter, memoryMb, sessionsPerHost, walls, hostModule, bootTimeoutMs } =
      this.#options;
    const host = createHost({
      interpreter: interpreter.folder,
      cache: interpreter.cache,
      memoryMb,
      heapMb: HEAP_MB,
      dataMb: dataLimitMb(sessionsPerHost, memoryMb),
      walls,
      module: hostModule,
      bootTimeoutMs: bootTimeoutMs ?? BOOT_TIMEOUT_MS,
    }, (host, exit, end) => this.#onExit(host, exit, end));
    this.#hosts.add(host);
    return host;
  }

  #hostWithRoom({ server, client }: Tenant): Host | undefined {
    return [...this.#hosts].find((host) =>
      host.tenant?.server === server && host.tenant.client === client && host.alive &&
      host.size < this.#options.sessionsPerHost && host.served < SESSIONS_EVER_PER_HOST
    );
  }

  /** Boots in a host that has room, else in a new one. */
  async #boot(tenant: Tenant, images: readonly string[]): Promise<Slot> {
    const shared = this.#hostWithRoom(tenant);
    if (shared !== undefined) {
      try {
        return await shared.boot(images);
      } catch (error) {
        // A neighbour took it down meanwhile: that is no reason to refuse this one.
        const { log } = this.#options;
        log.info("a session begins in another host", { server: tenant.server, error });
      }
    }
    const host = this.#warmHost(tenant);
    if (host !== undefined) return await host.slot;
    const fresh = this.#newHost();
    fresh.tenant = tenant;
    return await fresh.boot(images);
  }

  #warmHost(tenant: Tenant) {
    const waiting = this.#warm.take();
    if (waiting !== undefined) waiting.host.tenant = tenant;
    return waiting;
  }

  async #takeSlot(tenant: Tenant, images: readonly string[]): Promise<Slot> {
    if (this.#hostWithRoom(tenant) === undefined) {
      const waiting = this.#warmHost(tenant);
      if (waiting !== undefined) return await waiting.slot;
    }
    return await this.#boots.run(tenant.client, async () => {
      // It may have waited for its turn until then.
      if (this.#closed) throw new Error("Berth is shutting down");
      return await this.#boot(tenant, images);
    });
  }

  #imageFor({ profile, imports, files }: InterpreterInput): string | null {
    if (profile === "restricted") return null;
    const { catalogue } = this.#options.interpreter;
    return chooseImage(catalogue, { imports: imports ?? null, files: files.keys() });
  }

  #refuseWhenFull(): void {
    if (this.#closed) throw new AppError("unavailable", "Berth is shutting down");
    const { maxSessions } = this.#options;
    if (this.#sessions < maxSessions) return;
    throw new AppError(
      "unavailable",
      `This node runs as many sessions as it may (${maxSessions}): try again soon`,
      { headers: { "Retry-After": RETRY_AFTER_SECONDS } },
    );
  }

  async #bootedSlot(tenant: Tenant, images: readonly string[]): Promise<Slot> {
    try {
      return await this.#takeSlot(tenant, images);
    } catch (cause) {
      throw new AppError("unavailable", "The session's interpreter could not be started", {
        headers: { "Retry-After": RETRY_AFTER_SECONDS },
        cause,
      });
    } finally {
      this.#warm.refillSoon();
    }
  }

  async #start(input: InterpreterInput): Promise<Interpreter> {
    const { log, loadDeadlineMs, interruptGraceMs, closeGraceMs, memoryMb } = this.#options;
    const image = this.#imageFor(input);
    const tenant = { server: input.server, client: input.client };
    const slot = await this.#bootedSlot(tenant, image === null ? [] : [image]);
    return await startInterpreter(slot, input, {
      loadDeadlineMs,
      interruptGraceMs: interruptGraceMs ?? INTERRUPT_GRACE_MS,
      closeGraceMs: closeGraceMs ?? CLOSE_GRACE_MS,
      memoryMb,
      image,
      onCallbackError: (error) => log.error("a session's callback failed", { error }),
    });
  }

  async open(input: InterpreterInput): Promise<Interpreter> {
    this.#refuseWhenFull();
    this.#sessions++;
    let counted = true;
    const uncount = () => {
      if (counted) this.#sessions--;
      counted = false;
    };
    try {
      return await this.#start({
        ...input,
        onEnd(reason) {
          uncount();
          input.onEnd(reason);
        },
      });
    } catch (error) {
      uncount();
      throw error;
    }
  }

  stats(): HostStats {
    return {
      hosts: this.#hosts.size,
      sessions: this.#sessions,
      warm: this.#warm.ready(),
      pids: [...this.#hosts].map((host) => host.pid),
    };
  }

  onKill(listener: (kill: HostKill) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watch.close();
    this.#warm.close();
    const message = "The session was ended: Berth is shutting down";
    await Promise.all([...this.#hosts].map((host) => host.kill("shutdown", message)));
  }
}

/** Starts supervising. Nothing runs before the first session but the warm ones. */
export function createSessionHosts(options: SessionHostsOptions): SessionHosts {
  return new HostSupervisor(options);
}
