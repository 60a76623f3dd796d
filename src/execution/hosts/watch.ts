/**
 * Watches what session hosts use: one that takes more memory than its sessions may, or computes
 * while it has nothing to do, is ended. One that rests is to give back memory.
 *
 * @module
 */
import type { ReadUsage, Usage } from "../../sandbox/usage.ts";
import type { EndReason } from "../interpreters/types.ts";

export interface WatchedHost {
  readonly pid: number;
  /** Sessions it has. */
  readonly size: number;
  readonly alive: boolean;
  /** Whether it boots a session or runs a call that does not wait for the client. */
  readonly working: boolean;
  /** Number of times that it began to work. */
  readonly worked: number;
  /** Whether its session has no client yet, so that nobody wants anything of its code. */
  readonly isSpare: boolean;
  kill(reason: EndReason, message: string): Promise<void>;
  /** Has it give back to the system what it no longer uses. */
  trim(): void;
}

export interface WatchOptions {
  hosts(): Iterable<WatchedHost>;
  readUsage: ReadUsage;
  /** Most megabytes that a host with this many sessions may have resident. */
  memoryLimitMb(sessions: number): number;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
  intervalMs?: number;
  /** Called once, when the system does not say what processes use. */
  onBlind(): void;
}

export interface HostWatch {
  /** Looks once; the timer does it every second. */
  look(): Promise<void>;
  close(): void;
}

/** What an operator reads where the system does not say what processes use. */
export const BLIND =
  "Cannot measure processes because cat or ps is missing. Session hosts that use too much " +
  "memory or processor time are ended by deadlines only";

const INTERVAL_MS = 1000;
/** Time without work that is looked back on. */
const IDLE_WINDOW_MS = 30_000;
/** Milliseconds without work after which a host gives back memory, once until it works again. */
export const REST_MS = 5000;
/** Share of one processor that a host without work may use in that time. */
const IDLE_SHARE = 0.5;
/** The same of a spare session's host: what its code computes is for nobody. */
const SPARE_SHARE = 0.1;
const MB = 2 ** 20;
const NOTHING = new Map<number, Usage>();

/** How a host was before its usage was read: reading takes a while on a busy machine. */
interface State {
  at: number;
  size: number;
  worked: number;
  working: boolean;
}

interface Seen extends State {
  usage: Usage;
  /** Stretches without work, oldest first. */
  idle: { ms: number; processorMs: number }[];
  /** Milliseconds since it worked last; null once it has given back memory since then. */
  restMs: number | null;
}

/** Processor time within the last {@link IDLE_WINDOW_MS} of the time without work. */
function idleProcessorMs(idle: Seen["idle"]): number {
  let ms = idle.reduce((sum, stretch) => sum + stretch.ms, 0);
  while (idle.length > 1 && ms - idle[0]!.ms >= IDLE_WINDOW_MS) ms -= idle.shift()!.ms;
  return idle.reduce((sum, stretch) => sum + stretch.processorMs, 0);
}

/** A watch that looks every second until it is closed. */
export function createHostWatch(options: WatchOptions): HostWatch {
  const now = options.now ?? (() => performance.now());
  const seen = new WeakMap<WatchedHost, Seen>();
  let looking = false;
  let blind = false;

  function stateOf({ size, worked, working }: WatchedHost): State {
    return { at: now(), size, worked, working };
  }

  function check(host: WatchedHost, state: State, usage: Usage): void {
    const before = seen.get(host);
    // What a session that has just left used is given back little by little.
    const limit = options.memoryLimitMb(Math.max(before?.size ?? 0, state.size, host.size));
    if (usage.memory > limit * MB) {
      const text = `The session was ended: its host process used more than ${limit} MiB of ` +
        "memory (SESSION_MEMORY_MB). Process less data at once";
      return void host.kill("memory", text);
    }
    const idle = before?.idle ?? [];
    let restMs: number | null = 0;
    if (before !== undefined && !before.working && !host.working && before.worked === host.worked) {
      const processorMs = usage.processorMs - before.usage.processorMs;
      idle.push({ ms: state.at - before.at, processorMs });
      restMs = before.restMs === null ? null : before.restMs + state.at - before.at;
      const mostMs = IDLE_WINDOW_MS * (host.isSpare ? SPARE_SHARE : IDLE_SHARE);
      if (idleProcessorMs(idle) > mostMs) {
        const text = "The session was ended: between calls, its code used the processor for " +
          `more than ${mostMs / 1000} s within ${IDLE_WINDOW_MS / 1000} s`;
        return void host.kill("processor", text);
      }
    }
    if (restMs !== null && restMs >= REST_MS) {
      restMs = null;
      host.trim();
    }
    seen.set(host, { ...state, usage, idle, restMs });
  }

  async function look(): Promise<void> {
    const looked = [...options.hosts()].filter((host) => host.alive)
      .map((host) => ({ host, state: stateOf(host) }));
    if (looked.length === 0) return;
    const pids = looked.map(({ host }) => host.pid);
    const usages = await options.readUsage(pids).catch(() => NOTHING);
    if (usages.size === 0 && !blind && looked.some(({ host }) => host.alive)) {
      blind = true;
      options.onBlind();
    }
    for (const { host, state } of looked) {
      const usage = usages.get(host.pid);
      if (usage !== undefined && host.alive) check(host, state, usage);
    }
  }

  const timer = setInterval(async () => {
    // A machine that is too busy to answer is not asked again meanwhile.
    if (looking) return;
    looking = true;
    await look().finally(() => looking = false);
  }, options.intervalMs ?? INTERVAL_MS);
  return { look, close: () => clearInterval(timer) };
}
