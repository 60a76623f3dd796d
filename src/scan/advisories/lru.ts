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

/** An empty cache; an entry is forgotten `maxAgeMs` after it was set. */
export function createLruCache<Value>(
  options: { capacity: number; maxAgeMs: number; now: () => Date },
): LruCache<Value> {
  const entries = new Map<string, { value: Value; setAt: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      if (options.now().getTime() - entry.setAt > options.maxAgeMs) return undefined;
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, { value, setAt: options.now().getTime() });
      for (const oldest of entries.keys()) {
        if (entries.size <= options.capacity) break;
        entries.delete(oldest);
      }
    },
  };
}
