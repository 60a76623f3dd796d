/**
 * The process of one scan: started with its first analysis, replaced when it breaks, ended with the
 * scan.
 *
 * @module
 */
import type { HostPool } from "./pool.ts";
import type { HostProcess } from "./process.ts";

export interface ScanProcess {
  /** Whether further analysers of a scan run in it. */
  readonly isScan: boolean;
  /**
   * Runs `body` with the process, one after the other. `sound` says whether it may be used again.
   *
   * @throws The signal's reason when it aborts before a process is free.
   */
  use<T extends { sound: boolean }>(
    body: (host: HostProcess) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  /** Ends the process, as soon as nothing uses it. */
  close(): Promise<void>;
}

/** A process out of `pool`: a scan's, or that of one analysis by itself. */
export function createScanProcess(pool: HostPool, isScan: boolean): ScanProcess {
  let host: HostProcess | null = null;
  let broken = false;
  let closed = false;
  let before: Promise<unknown> = Promise.resolve();

  async function ready(signal?: AbortSignal): Promise<HostProcess> {
    signal?.throwIfAborted();
    if (host === null) return host = await pool.take(signal);
    if (!broken && host.alive) return host;
    const last = host;
    host = null;
    return host = await pool.replace(last);
  }

  async function turn<T extends { sound: boolean }>(
    body: (host: HostProcess) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (closed) throw new Error("Cannot analyse: the scan has ended");
    const used = await ready(signal);
    broken = true;
    const outcome = await body(used);
    broken = !outcome.sound;
    return outcome;
  }

  return {
    isScan,
    use(body, signal) {
      const mine = before.then(() => turn(body, signal));
      before = mine.catch(() => {});
      return mine;
    },
    async close() {
      closed = true;
      await before;
      if (host !== null) await pool.end(host);
      host = null;
    },
  };
}
