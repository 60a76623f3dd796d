/**
 * A token bucket: a rate with room for bursts.
 *
 * @module
 */

/** A rate and its burst. */
export interface BucketOptions {
  capacity: number;
  perSecond: number;
  /** Milliseconds of a clock that never goes back. */
  now?: (() => number) | undefined;
}

const SECOND_MS = 1000;

/** A function that takes a token and says whether there was one. */
export function createBucket(options: BucketOptions): () => boolean {
  const now = options.now ?? (() => performance.now());
  let tokens = options.capacity;
  let last = now();
  return () => {
    const time = now();
    const gained = ((time - last) / SECOND_MS) * options.perSecond;
    tokens = Math.min(options.capacity, tokens + gained);
    last = time;
    if (tokens < 1) return false;
    tokens--;
    return true;
  };
}
