/**
 * Keeps a fresh analysis process ready, so that a scan does not wait for engines to be loaded.
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import { NO_WALLS } from "../../sandbox/walls.ts";
import { settleCache } from "../../sandbox/settled_cache.ts";
import type { Language } from "../schema.ts";
import type { Watch } from "./attempt.ts";
import type { HostPool } from "./pool.ts";
import { fillOnce } from "./filled_caches.ts";
import { type HostProcess, type HostSettings, startHost, V8_FLAGS } from "./process.ts";
import { MEMORY_BYTES } from "./run.ts";
import { answers, BRIEF, THOROUGH, warmUp, WHOLE } from "./warming.ts";

/** Milliseconds that each analyser may take while a process is prepared. */
const WARMING_MS = 60_000;

/** From the end of a scan until the next process is prepared: the server's build comes first. */
const AFTER_SCAN_MS = 2000;

/** Above this many resident bytes a process gives back what it does not use. */
const TRIMMED_BYTES = 192 * 2 ** 20;

/** Between them, servers in these languages load all that any server does. */
const PRIMED: readonly Language[] = ["python", "typescript", "go", "rust"];

export interface PreparationOptions extends HostSettings {
  log: Logger;
  /** Resident bytes that a process may reach. */
  memoryBytes?: number;
  /**
   * Milliseconds after the start until a process is prepared for the first scan; from then on one is
   * prepared soon after each scan. Else never.
   */
  warmAfterMs?: number;
  /** Milliseconds that a prepared process waits for a scan before it is ended. Else forever. */
  keepMs?: number;
}

/** None of its functions rejects. */
export interface Preparation {
  /** Prepares a process for the next scan, unless one is kept or at work. */
  warm(): Promise<void>;
  /** The same, in brief, for a scan of a server in `lang` that begins soon. */
  expect(lang: Language): Promise<void>;
  /** Starts a process for a scan that begins soon, unless one is kept or at work. */
  start(): void;
  scanEnded(): void;
  close(): void;
}

/**
 * Has a large process give memory back, and waits until it has: a scan would go slowly beside that.
 * False when it does not answer any more.
 */
async function trim(host: HostProcess, watch: Watch): Promise<boolean> {
  const bytes = await host.memory();
  if (bytes === null || bytes <= TRIMMED_BYTES) return true;
  await host.trim();
  return await answers(host, watch);
}

/** Runs whatever any scan may run, so that Deno keeps the code; false when a part of it failed. */
async function fill(options: HostSettings, watch: Watch): Promise<boolean> {
  // Without walls, which is nothing to fear: it reads Berth's own samples and no more.
  const host = startHost({ ...options, walls: NO_WALLS });
  try {
    for (const lang of PRIMED) if (!await warmUp(host, lang, WHOLE, watch)) return false;
  } finally {
    await host.kill();
  }
  return await settleCache(options.denoDir!);
}

/**
 * Has Deno's caches filled, unless they are: processes that run as another user only read them.
 *
 * @param memoryBytes Resident bytes that the process that fills them may reach.
 */
export async function fillCaches(options: HostSettings, memoryBytes = MEMORY_BYTES): Promise<void> {
  const { denoDir, walls } = options;
  if (denoDir === undefined || walls.uid === null) return;
  const watch = { deadlineMs: WARMING_MS, fileMs: WARMING_MS, memoryBytes };
  await fillOnce(denoDir, V8_FLAGS, () => fill(options, watch));
}

/** Keeps a process of `pool` ready. */
export function createPreparation(options: PreparationOptions, pool: HostPool): Preparation {
  const { log, warmAfterMs, keepMs, memoryBytes = MEMORY_BYTES } = options;
  const watch = { deadlineMs: WARMING_MS, fileMs: WARMING_MS, memoryBytes };
  let primed = false;
  let closed = false;
  let soon: ReturnType<typeof setTimeout> | undefined;
  let later: ReturnType<typeof setTimeout> | undefined;

  /** A registry may go for days without a scan, and the process takes as much memory as sessions. */
  function discardLater(): void {
    clearTimeout(later);
    if (keepMs === undefined || closed) return;
    later = setTimeout(() => {
      pool.discard().catch((error) => log.warn("an analysis process was not ended", { error }));
    }, keepMs);
  }

  async function keep(ready: (host: HostProcess) => Promise<boolean>): Promise<void> {
    try {
      await pool.prepare(ready);
    } catch (error) {
      log.warn("no analysis process was prepared", { error });
    }
    discardLater();
  }

  async function prime(): Promise<void> {
    if (primed) return;
    primed = true;
    try {
      await fillCaches(options, memoryBytes);
    } catch (error) {
      log.warn("the caches of analysis processes were not filled", { error });
    }
  }

  async function warm(): Promise<void> {
    await prime();
    // Most servers are in Python.
    await keep(async (host) =>
      await warmUp(host, "python", THOROUGH, watch) && await trim(host, watch)
    );
  }

  function warmSoon(afterMs: number): void {
    if (warmAfterMs === undefined || closed) return;
    clearTimeout(soon);
    soon = setTimeout(warm, afterMs);
  }

  warmSoon(warmAfterMs ?? 0);
  return {
    warm,
    // Used at once: what memory it holds, the scan needs.
    expect: (lang) => keep((host) => warmUp(host, lang, BRIEF, watch)),
    // At once the next scan's: its first request waits while the engines are loaded.
    start: () => void keep(() => Promise.resolve(true)),
    scanEnded: () => warmSoon(AFTER_SCAN_MS),
    close() {
      closed = true;
      clearTimeout(soon);
      clearTimeout(later);
    },
  };
}
