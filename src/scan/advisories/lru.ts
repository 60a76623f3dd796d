/**
 * A small cache that forgets what was used longest ago.
 *
 * @module
 */

/** Keeps the `capacity` entries used last. */
export interface LruCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/**
 * An empty cache; an entry is forgotten `maxAgeMs` after it was set. `now` gives milliseconds of a
 * clock that never goes back.
 */
export function createLruCache<Value>(
  options: { capacity: number; maxAgeMs: number; now?: (() => number) | undefined },
): LruCache<Value> {
  const now = options.now ?? (() => performance.now());
  const entries = new Map<string, { value: Value; setAt: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      if (now() - entry.setAt > options.maxAgeMs) return undefined;
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, { value, setAt: now() });
      for (const oldest of entries.keys()) {
        if (entries.size <= options.capacity) break;
        entries.delete(oldest);
      }
    },
  };
}
