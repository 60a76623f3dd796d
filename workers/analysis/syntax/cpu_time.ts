/**
 * Bounds of the time that a thread computes: on a busy machine the clock runs on while it waits.
 *
 * @module
 */
import { threadCpuUsage } from "node:process";

/** Tells whether this thread has computed for longer than that since now. */
export function computedFor(milliseconds: number): () => boolean {
  const from = threadCpuUsage();
  const earliest = performance.now() + milliseconds;
  return () => {
    if (performance.now() < earliest) return false;
    const { user, system } = threadCpuUsage(from);
    return user + system > milliseconds * 1000;
  };
}
