/**
 * Booted sessions that wait for their first use, each in a host that belongs to no server yet.
 *
 * @module
 */
import type { Slot } from "../interpreters/slot.ts";
import type { Host } from "./host.ts";

export interface WarmPoolDeps {
  /** Sessions to keep waiting. */
  target: number;
  newHost(): Host;
  /** Boots the first session of a new host. */
  boot(host: Host): Promise<Slot>;
  /** Whether this is a good moment to boot one. */
  mayStart(): boolean;
  /** The image that the next session will probably need, null for none; undefined: any. */
  likelyImage?(): string | null | undefined;
  onFailure(error: unknown): void;
}

/** A host with one session that is booted or about to be. */
export interface WarmSession {
  host: Host;
  slot: Promise<Slot>;
}

export interface WarmPool {
  /** The one that is nearest to a session with `image`, or undefined when there is none. */
  take(image?: string | null): WarmSession | undefined;
  /** One that is booted, as long as another is; waits up to `ms` for that, else undefined. */
  takeSurplus(ms: number): Promise<WarmSession | undefined>;
  /** Boots what is missing, one after the other, in the background. */
  refill(): void;
  /** The same in a moment: starting a process would hold up the session that has just begun. */
  refillSoon(): void;
  /** Number of booted sessions that wait. */
  ready(): number;
  /** Starts no more; the hosts are the caller's to end. */
  close(): void;
}

interface Waiting extends WarmSession {
  booted: boolean;
  /** The image that it has gone on with; absent while it can go on with any. */
  begun?: string | null;
}

/** By then most sessions that have just begun answer. */
const SOON_MS = 400;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;

/** Those who wait until `takeNow` gives something. */
function createWaiting<T>(takeNow: () => T | undefined) {
  const resolvers: ((found: T | undefined) => void)[] = [];
  return {
    /** What there is now or within `ms`, else undefined. */
    async take(ms: number): Promise<T | undefined> {
      const now = takeNow();
      if (now !== undefined) return now;
      const { promise, resolve } = Promise.withResolvers<T | undefined>();
      resolvers.push(resolve);
      const end = setTimeout(() => {
        resolvers.splice(resolvers.indexOf(resolve), 1);
        resolve(undefined);
      }, ms);
      return await promise.finally(() => clearTimeout(end));
    },
    /** Gives the first who wait what there is by now. */
    look(): void {
      while (resolvers.length > 0) {
        const found = takeNow();
        if (found === undefined) return;
        resolvers.shift()!(found);
      }
    },
    close(): void {
      for (const resolve of resolvers.splice(0)) resolve(undefined);
    },
  };
}

/** Has one of those that wait go on with the likely image, as long as others can go on with any. */
function createBeginner(likelyImage: () => string | null | undefined) {
  /** Images that hosts did not survive: not to be tried again and again. */
  const broken = new Set<string | null>();
  return {
    async begin(pool: readonly Waiting[]): Promise<void> {
      const image = likelyImage();
      const booted = pool.filter((entry) => entry.booted && entry.host.alive);
      if (image === undefined || broken.has(image) || booted.length < 2) return;
      const entry = booted.find(({ begun }) => begun !== undefined) ?? booted[0]!;
      if (entry.begun === image) return;
      entry.begun = image;
      (await entry.slot).send({ type: "begin", image });
    },
    /** Takes note of what hosts were gone on with that are no more. */
    look(pool: readonly Waiting[]): void {
      for (const { host, begun } of pool) if (!host.alive && begun !== undefined) broken.add(begun);
    },
  };
}

/** The one that a session with `image` waits for least. */
function nearest(pool: readonly Waiting[], image: string | null | undefined): Waiting | undefined {
  const booted = pool.filter((entry) => entry.booted);
  return booted.find(({ begun }) => image !== undefined && begun === image) ??
    booted.find(({ begun }) => begun === undefined) ?? booted[0] ?? pool[0];
}

/** A pool that is empty until {@link WarmPool.refill}. */
export function createWarmPool(deps: WarmPoolDeps): WarmPool {
  let pool: Waiting[] = [];
  const beginner = createBeginner(deps.likelyImage ?? (() => undefined));
  let filling = false;
  let closed = false;
  let delay = FIRST_DELAY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let soon: ReturnType<typeof setTimeout> | undefined;

  async function bootOne(): Promise<boolean> {
    const host = deps.newHost();
    const entry: Waiting = { host, slot: deps.boot(host), booted: false };
    pool.push(entry);
    try {
      await entry.slot;
      entry.booted = true;
      waiting.look();
      await beginner.begin(pool);
      delay = FIRST_DELAY_MS;
      return true;
    } catch (error) {
      pool = pool.filter((other) => other !== entry);
      if (!closed) deps.onFailure(error);
      return false;
    }
  }

  async function fill(): Promise<void> {
    filling = true;
    let good = true;
    while (good && !closed && pool.length < deps.target && deps.mayStart()) good = await bootOne();
    filling = false;
    if (good || closed) return;
    // Not at once again: what fails now may go on failing.
    timer = setTimeout(refill, delay);
    delay = Math.min(2 * delay, LONGEST_DELAY_MS);
  }

  function dropDead() {
    beginner.look(pool);
    pool = pool.filter((entry) => entry.host.alive);
  }

  function refill() {
    clearTimeout(timer);
    clearTimeout(soon);
    soon = undefined;
    dropDead();
    if (!filling && !closed) void fill();
  }

  function take(image?: string | null) {
    dropDead();
    const found = nearest(pool, image);
    pool = pool.filter((entry) => entry !== found);
    return found;
  }

  const ready = () => pool.filter((entry) => entry.booted && entry.host.alive).length;

  const waiting = createWaiting(() => !closed && ready() > 1 ? take() : undefined);

  return {
    take,
    // With a smaller target there never is one.
    takeSurplus: async (ms) => deps.target < 2 || closed ? undefined : await waiting.take(ms),
    refill,
    refillSoon() {
      // Not put off by each session that begins, else a stream of them would leave the pool empty.
      if (!closed) soon ??= setTimeout(refill, SOON_MS);
    },
    ready,
    close() {
      closed = true;
      clearTimeout(timer);
      clearTimeout(soon);
      waiting.close();
    },
  };
}
