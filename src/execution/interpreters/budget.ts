/**
 * How many bytes a session may have read in a minute: reading is the main process's time, and that
 * is everyone's.
 *
 * @module
 */

const MINUTE_MS = 60_000;

/** A function that takes bytes and says whether there were as many left; `now` in milliseconds. */
export function createByteBudget(
  bytesPerMinute: number,
  now: () => number = () => performance.now(),
): (bytes: number) => boolean {
  let left = bytesPerMinute;
  let last = now();
  return (bytes) => {
    const time = now();
    left = Math.min(bytesPerMinute, left + ((time - last) / MINUTE_MS) * bytesPerMinute);
    last = time;
    if (left < bytes) return false;
    left -= bytes;
    return true;
  };
}
