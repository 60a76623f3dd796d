/**
 * The supervisor of the session hosts: which session goes into which host, booted sessions that
 * wait, and how many there may be.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import { createHost, type Host, type Slot, type Tenant } from "./host.ts";
import { dataLimitMb, HEAP_MB, residentLimitMb } from "./limits.ts";
import type { ProcessExit } from "../../sandbox/process.ts";
import { startSession } from "./session.ts";
import { type ReadUsage, readUsage } from "../../sandbox/usage.ts";
import { createWarmPool } from "./warm.ts";
import type { Walls } from "../../sandbox/walls.ts";
import { createHostWatch } from "./watch.ts";
import type { EndReason, HostKill, OpenSession, SandboxHosts, SandboxSession } from "./types.ts";

/** What the supervisor needs. */
export interface SandboxHostsOptions {
  /** What setup prepared: folder of the interpreter, and of the hosts' code cache; absolute. */
  interpreter: { folder: string; cache: string };
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
const RETRY_AFTER_SECONDS = "5";
const BLIND = "The system does not say what processes use (cat or ps is missing): session hosts " +
  "that use too much memory or processor are found by their deadlines only";

/** Starts supervising. Nothing runs before the first session but the warm ones. */
export function createSandboxHosts(options: SandboxHostsOptions): SandboxHosts {
  const { log } = options;
  const hosts = new Set<Host>();
  const listeners: ((kill: HostKill) => void)[] = [];
  let sessions = 0;
  let booting = 0;
  let closed = false;

  function onExit(host: Host, exit: ProcessExit, end: { reason: EndReason; message: string }) {
    hosts.delete(host);
    const server = host.tenant?.server ?? null;
    if (server === null) warm.refill();
    if (end.reason === "closed" || end.reason === "shutdown") return;
    const { code, signal, fault } = exit;
    const { reason, message } = end;
    if (server !== null) {
      for (const listener of listeners) listener({ server, reason, message });
    }
    // The code of the server may have written it: shown, escaped by the logger, never parsed.
    const stderr = exit.stderr.slice(-500);
    log.warn("session host ended", {
      server,
      reason,
      message,
      fault,
      code,
      signal,
      stderr,
    });
  }

  function newHost(): Host {
    const host = createHost({
      interpreter: options.interpreter.folder,
      cache: options.interpreter.cache,
      memoryMb: options.memoryMb,
      heapMb: HEAP_MB,
      dataMb: dataLimitMb(options.sessionsPerHost, options.memoryMb),
      walls: options.walls,
      module: options.hostModule,
      bootTimeoutMs: options.bootTimeoutMs ?? BOOT_TIMEOUT_MS,
    }, onExit);
    hosts.add(host);
    return host;
  }

  const warm = createWarmPool({
    target: options.warmSessions,
    newHost,
    // Someone waits for a session: leave the processor to that.
    mayStart: () => booting === 0 && !closed,
    onFailure: (error) => log.warn("a warm session could not be started", { error }),
  });

  const watch = createHostWatch({
    hosts: () => hosts,
    readUsage: options.readUsage ?? readUsage,
    memoryLimitMb: (size) => residentLimitMb(size, options.memoryMb),
    onBlind: () => log.warn("sandbox.unwatched", { reason: BLIND }),
  });

  function hostWithRoom({ server, client }: Tenant): Host | undefined {
    return [...hosts].find((host) =>
      host.tenant?.server === server && host.tenant.client === client && host.alive &&
      host.size < options.sessionsPerHost &&
      host.served < SESSIONS_EVER_PER_HOST
    );
  }

  async function takeSlot(tenant: Tenant): Promise<Slot> {
    const shared = hostWithRoom(tenant);
    if (shared !== undefined) {
      try {
        return await shared.boot();
      } catch (error) {
        // A neighbour took it down meanwhile: that is no reason to refuse this one.
        log.info("a session begins in another host", { server: tenant.server, error });
      }
    }
    const waiting = warm.take();
    const host = waiting?.host ?? newHost();
    host.tenant = tenant;
    return await (waiting?.slot ?? host.boot());
  }

  function refuseWhenFull() {
    if (closed) throw new AppError("unavailable", "Berth is shutting down");
    if (sessions < options.maxSessions) return;
    throw new AppError(
      "unavailable",
      `This node runs as many sessions as it may (${options.maxSessions}): try again soon`,
      { headers: { "Retry-After": RETRY_AFTER_SECONDS } },
    );
  }

  async function bootedSlot(tenant: Tenant): Promise<Slot> {
    booting++;
    try {
      return await takeSlot(tenant);
    } catch (cause) {
      throw new AppError("unavailable", "The session's interpreter could not be started", {
        headers: { "Retry-After": RETRY_AFTER_SECONDS },
        cause,
      });
    } finally {
      booting--;
      warm.refill();
    }
  }

  async function open(input: OpenSession): Promise<SandboxSession> {
    refuseWhenFull();
    sessions++;
    let counted = true;
    function uncount() {
      if (counted) sessions--;
      counted = false;
    }
    try {
      const slot = await bootedSlot({ server: input.server, client: input.client });
      return await startSession(slot, {
        ...input,
        onEnd(reason: EndReason) {
          uncount();
          input.onEnd(reason);
        },
      }, {
        loadDeadlineMs: options.loadDeadlineMs,
        interruptGraceMs: options.interruptGraceMs ?? INTERRUPT_GRACE_MS,
        closeGraceMs: options.closeGraceMs ?? CLOSE_GRACE_MS,
        memoryMb: options.memoryMb,
        onCallbackError: (error) => log.error("a session's callback failed", { error }),
      });
    } catch (error) {
      uncount();
      throw error;
    }
  }

  warm.refill();
  return {
    open,
    stats: () => ({
      hosts: hosts.size,
      sessions,
      warm: warm.ready(),
      pids: [...hosts].map((host) => host.pid),
    }),
    onKill: (listener) => void listeners.push(listener),
    async close() {
      closed = true;
      watch.close();
      warm.close();
      const message = "The session was ended: Berth is shutting down";
      await Promise.all([...hosts].map((host) => host.kill("shutdown", message)));
    },
  };
}
