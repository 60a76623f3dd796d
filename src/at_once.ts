/**
 * Work on many things, a few at a time.
 *
 * @module
 */

/** Calls `work` with each of `items`, `atOnce` at a time; rejects with the first that fails. */
export async function eachAtOnce<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const runner = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, runner));
}
