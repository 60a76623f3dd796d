/**
 * Holding a scan while it runs: its lease is renewed, its progress written down, and its work
 * stopped when the scan is ended by others or the process stops.
 *
 * @module
 */
import type { StageProgress } from "../../scan/schema.ts";
import type { RegistryDeps } from "../deps.ts";
import { RENEW_SECONDS, renewLease, saveProgress } from "./scans.ts";

export interface HeldScan {
  /** Aborted when the work is to stop. */
  signal: AbortSignal;
  /** Takes the newest progress; older that is not yet written is skipped. */
  onProgress(stages: StageProgress[]): void;
  /** Stops renewing, and waits until what is being written is written. */
  release(): Promise<void>;
}

/** Writes the newest of a series of values, one at a time. */
function createWriter<T>(write: (value: T) => Promise<void>) {
  let newest: { value: T } | null = null;
  let writing: Promise<void> | null = null;
  async function drain() {
    while (newest !== null) {
      const { value } = newest;
      newest = null;
      await write(value);
    }
    writing = null;
  }
  return {
    put(value: T) {
      newest = { value };
      writing ??= drain();
    },
    idle: async () => await writing,
  };
}

/** Holds the running scan `id`. */
export function holdScan(
  deps: Pick<RegistryDeps, "sql" | "log" | "jobs">,
  id: string,
): HeldScan {
  const lost = new AbortController();
  const progress = createWriter(async (stages: StageProgress[]) => {
    try {
      await saveProgress(deps.sql, id, stages);
    } catch (error) {
      deps.log.warn("scan.progress_not_saved", { scan: id, error });
    }
  });
  const renewal = createWriter(async () => {
    try {
      if (!await renewLease(deps.sql, id)) lost.abort(new Error("The scan was ended"));
    } catch (error) {
      // The lease outlives a few failed attempts.
      deps.log.warn("scan.lease_not_renewed", { scan: id, error });
    }
  });
  const timer = setInterval(() => renewal.put(undefined), RENEW_SECONDS * 1000);
  return {
    signal: AbortSignal.any([lost.signal, deps.jobs.signal]),
    onProgress: progress.put,
    async release() {
      clearInterval(timer);
      await Promise.all([progress.idle(), renewal.idle()]);
    },
  };
}
