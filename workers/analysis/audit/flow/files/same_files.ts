/**
 * Which files are the same under several names, and which archives folders were unpacked from.
 *
 * @module
 */

const MAX_KEYS = 100;

function addTo(map: Map<string, Set<string>>, key: string, more: readonly string[]): void {
  if (more.length === 0) return;
  const held = map.get(key) ?? new Set();
  for (const each of more) held.add(each);
  map.set(key, held);
}

export class SameFiles {
  readonly #same = new Map<string, Set<string>>();
  readonly #unpacked = new Map<string, Set<string>>();

  /** The file of `key` may be any of the others. */
  alias(key: string, others: readonly string[]): void {
    addTo(this.#same, key, others);
  }

  /** What is in a folder was in an archive. */
  unpack(folders: readonly string[], archives: readonly string[]): void {
    for (const folder of folders) addTo(this.#unpacked, folder, archives);
  }

  /** All keys that may mean the same file. */
  closure(keys: readonly string[]): Set<string> {
    const all = new Set(keys);
    for (const key of all) {
      if (all.size > MAX_KEYS) break;
      for (const each of this.#same.get(key) ?? []) all.add(each);
    }
    return all;
  }

  /** The keys of archives that these folders were unpacked from. */
  archives(folders: Iterable<string>): Set<string> {
    const found = [...folders].flatMap((each) => [...this.#unpacked.get(each) ?? []]);
    return this.closure(found);
  }
}
