/**
 * Counts in sentences.
 *
 * @module
 */

/** `count` with its noun: "1 finding", "1,024 findings". @param many The plural, if not with an s. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
