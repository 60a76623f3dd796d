/**
 * The supervisor of the session hosts: which session goes into which host, booted sessions that
 * wait, and how many there may be.
 *
 * @module
 */
import { hostsFull, interpreterNotStarted, shuttingDown } from "../failures.ts";
import type { ProcessExit } from "../../sandbox/process.ts";
import { readUsage } from "../../sandbox/usage.ts";
import type { Slot } from "../interpreters/slot.ts";
import { keepFiles, type KeptFiles } from "../images/sessions.ts";
import type { CodeInput, Interpreter, InterpreterInput } from "../interpreters/types.ts";
import { type Boots, createBoots } from "./boots.ts";
import type { Ending } from "./endings.ts";
import { createHost, type Host, type Tenant } from "./host.ts";
import { isCommonImage } from "./images.ts";
import { createLikelyImage } from "./likely.ts";
import { dataLimitMb, HEAP_MB, residentLimitMb } from "./limits.ts";
import { openSpare, whenEnded } from "./open_spare.ts";
import type { SessionHostsOptions } from "./options.ts";
import type {
  HostKill,
  HostStats,
  OpenOptions,
  SessionHosts,
  SpareHosts,
  SpareInterpreter,
  Wanted,
} from "./types.ts";
import { createShares } from "./shares.ts";
import { startServer } from "./start_server.ts";
import { createUses } from "./uses.ts";
import { createWarmPool } from "./warm.ts";
import { BLIND, createHostWatch } from "./watch.ts";

// Workers that come and go leave a little behind in their process.
const SESSIONS_EVER_PER_HOST = 64;
const BOOT_TIMEOUT_MS = 60_000;
/** More at once only delay each other. */
const BOOTS_AT_ONCE = Math.max(2, navigator.hardwareConcurrency);
/** Whose boots those of the warm pool are; no client has this key. */
const NOBODY = "";
/** Warm hosts that boot anyway are ready sooner than another that boots beside them. */
const SURPLUS_WAIT_MS = 10_000;

class HostSupervisor implements SessionHosts, SpareHosts {
  readonly #options: SessionHostsOptions;
  readonly #hosts = new Set<Host>();
  readonly #listeners: ((kill: HostKill) => void)[] = [];
  readonly #warm;
  readonly #likely;
  readonly #watch;
  readonly #boots: Boots;
  readonly #uses = createUses();
  readonly #shares;
  #closed = false;
  readonly keep = (session: KeptFiles) => keepFiles(this.#options, session);

  constructor(options: SessionHostsOptions) {
    const { log, memoryMb, interpreter, withPackages } = options;
    // Which of them a warm session goes on with is not known yet.
    const images = withPackages ? Object.keys(interpreter.catalogue.images) : [];
    this.#options = options;
    this.#shares = createShares(options.walls.niceness);
    this.#boots = createBoots(BOOTS_AT_ONCE);
    this.#likely = createLikelyImage((image) =>
      withPackages && isCommonImage(interpreter.catalogue, options.made?.images(), image)
    );
    this.#warm = createWarmPool({
      target: options.warmSessions,
      newHost: () => this.#newHost(this.#shares.waiting),
      boot: (host) =>
        // A rehearsal takes the place of a session for a moment.
        this.#boots.run(NOBODY, () => host.boot(images, options.sessionsPerHost > 1)),
      // Someone waits for a session: leave the processor to that.
      mayStart: () => this.#boots.pending === 0 && !this.#closed,
      likelyImage: this.#likely.now,
      onFailure: (error) => log.warn("a warm interpreter could not be started", { error }),
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

  #newHost(groupNiceness?: number): Host {
    const { interpreter, memoryMb, sessionsPerHost, walls, hostModule, bootTimeoutMs } =
      this.#options;
    const host = createHost({
      interpreter: interpreter.folder,
      cache: interpreter.cache,
      memoryMb,
      heapMb: HEAP_MB,
      dataMb: dataLimitMb(sessionsPerHost, memoryMb),
      groupNiceness,
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
  async #boot(tenant: Tenant, wanted: Wanted): Promise<Slot> {
    const shared = this.#hostWithRoom(tenant);
    if (shared !== undefined) {
      try {
        wanted.onPlace?.("shared");
        return await shared.boot(wanted.images);
      } catch (error) {
        // A neighbour took it down meanwhile: that is no reason to refuse this one.
        const { log } = this.#options;
        log.info("session starts in another host", { server: tenant.server, error });
      }
    }
    return await (this.#warmHost(tenant, wanted)?.slot ?? this.#bootFresh(tenant, wanted));
  }

  async #bootFresh(tenant: Tenant, { images, onPlace }: Wanted, aside = false): Promise<Slot> {
    // It may have waited for its turn until then.
    if (this.#closed) throw new Error("Berth is shutting down");
    const fresh = this.#newHost(aside ? this.#shares.waiting : undefined);
    fresh.tenant = tenant;
    onPlace?.("cold");
    return await fresh.boot(images);
  }

  #warmHost(tenant: Tenant, { image, onPlace }: Wanted) {
    const waiting = this.#warm.take(image);
    if (waiting === undefined) return undefined;
    waiting.host.tenant = tenant;
    onPlace?.("warm");
    this.#shares.hasten(waiting.host, waiting.slot);
    return waiting;
  }

  async #takeSlot(tenant: Tenant, wanted: Wanted): Promise<Slot> {
    if (this.#hostWithRoom(tenant) === undefined) {
      const waiting = this.#warmHost(tenant, wanted);
      if (waiting !== undefined) return await waiting.slot;
    }
    return await this.#boots.run(tenant.client ?? NOBODY, () => this.#boot(tenant, wanted));
  }

  /** In a host that has no sessions of clients, and that these give up nothing for. */
  async #takeBackgroundSlot(tenant: Tenant, wanted: Wanted): Promise<Slot> {
    // A spare session is nobody's yet: whoever takes it must not meet who takes another.
    if (tenant.client !== null && this.#hostWithRoom(tenant) !== undefined) {
      const boot = () =>
        this.#hostWithRoom(tenant)?.boot(wanted.images) ?? this.#bootFresh(tenant, wanted);
      return await this.#boots.run(tenant.client, boot);
    }
    const surplus = await this.#warm.takeSurplus(SURPLUS_WAIT_MS);
    if (this.#closed) throw shuttingDown();
    if (surplus === undefined) {
      const boot = () => this.#bootFresh(tenant, wanted, tenant.client === null);
      return await this.#boots.run(tenant.client ?? NOBODY, boot);
    }
    surplus.host.tenant = tenant;
    wanted.onPlace?.("warm");
    if (tenant.client !== null) this.#shares.hasten(surplus.host, surplus.slot);
    return await surplus.slot;
  }

  #refuseWhenFull(taken: number): void {
    if (this.#closed) throw shuttingDown();
    const { maxSessions } = this.#options;
    if (taken >= maxSessions) throw hostsFull(maxSessions);
  }

  async #bootedSlot(tenant: Tenant, wanted: Wanted, background: boolean): Promise<Slot> {
    try {
      return await (background
        ? this.#takeBackgroundSlot(tenant, wanted)
        : this.#takeSlot(tenant, wanted));
    } catch (cause) {
      throw interpreterNotStarted(cause);
    } finally {
      this.#warm.refillSoon();
    }
  }

  #start(
    input: CodeInput,
    tenant: Tenant,
    { background, onSlot }: { background: boolean; onSlot?: (slot: Slot) => void },
  ): Promise<Interpreter> {
    return startServer(input, this.#options, async (images) => {
      const image = input.parked === undefined ? images[0] ?? null : undefined;
      if (!background && image !== undefined) this.#likely.note(image);
      const wanted = { images, image, onPlace: input.onPlace };
      const slot = await this.#bootedSlot(tenant, wanted, background);
      onSlot?.(slot);
      return slot;
    });
  }

  async open(
    input: InterpreterInput,
    { background = false }: OpenOptions = {},
  ): Promise<Interpreter> {
    this.#refuseWhenFull(
      this.#uses.count("session") + (background ? this.#uses.count("background") : 0),
    );
    const held = this.#uses.hold(background ? "background" : "session");
    let over = false;
    let done = () => {};
    const onSlot = (slot: Slot) => {
      if (background && !over) done = this.#shares.standBackSoon(slot);
    };
    const end = () => {
      over = true;
      done();
      held(null);
    };
    const { server, client } = input;
    try {
      const whole = { ...input, onEnd: whenEnded(input, end) };
      return await this.#start(whole, { server, client }, { background, onSlot });
    } catch (error) {
      end();
      throw error;
    }
  }

  room(): number {
    return this.#options.maxSessions - this.#uses.count("session", "background", "spare");
  }

  mayOpenSpare(): boolean {
    return !this.#closed && this.#boots.pending === 0 && this.room() > 0;
  }

  openSpare(input: CodeInput): Promise<SpareInterpreter> {
    return openSpare(input, {
      uses: this.#uses,
      refuseWhenFull: (taken) => this.#refuseWhenFull(taken),
      start: (input, tenant) => this.#start(input, tenant, { background: true }),
      onAdopted: (interpreter) => this.#shares.hasten(interpreter),
    });
  }

  stats(): HostStats {
    return {
      hosts: this.#hosts.size,
      sessions: this.#uses.count("session"),
      warm: this.#warm.ready(),
      pids: [...this.#hosts].map((host) => host.pid),
      images: this.#options.made?.figures() ?? null,
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
    await Promise.all([
      this.#options.made?.close(),
      this.#shares.close(),
      ...[...this.#hosts].map((host) => host.kill("shutdown", message)),
    ]);
  }
}

/** Starts supervising. Nothing runs before the first session but the warm ones. */
export function createSessionHosts(options: SessionHostsOptions): SessionHosts & SpareHosts {
  return new HostSupervisor(options);
}
