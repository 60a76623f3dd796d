/**
 * Responses in memory, of which none outlives what it shows. The statement that counts a request
 * tells what the registry shows at present, as a mark; what was kept under another mark holds only
 * where nothing that it is about has changed since.
 *
 * @module
 */

/** Bytes of a response under a content coding, or under none. */
export interface Body {
  bytes: Uint8Array<ArrayBuffer>;
  /** Strong, with its quotes. */
  etag: string;
}

/** A response that is the same for everybody. */
export interface KeptResponse {
  /** Without those that its body decides. */
  headers: Readonly<Record<string, string>>;
  plain: Body;
  /** The body in content codings that were asked for so far. */
  coded: Map<string, Promise<Body>>;
  /** The server whose changes end it; null: every change does. */
  about: string | null;
}

/** How a shelf learns what has changed, and how much it holds. */
export interface ShelfOptions {
  /** Servers that were changed since `mark`; null when that is not known any more. */
  changedSince(mark: string): Promise<ReadonlySet<string> | null>;
  /** Bytes of all responses. The ones that were asked for longest ago make room. */
  maxBytes: number;
}

/** Kept responses. */
export interface Shelf {
  /**
   * The response of `key`, as it is under `mark` or later: a kept one, or what `make` returns, which
   * runs once for all that ask meanwhile. Null when that is null, and to those who waited for it.
   */
  find(
    key: string,
    mark: string,
    make: () => Promise<KeptResponse | null>,
  ): Promise<KeptResponse | null>;
  /** Takes note that the response of `key` has grown, by a coding of its body. */
  grow(key: string, response: KeptResponse, bytes: number): void;
  /** Bytes that are held. */
  bytes(): number;
}

/** What a response takes beside its bytes. */
const OVERHEAD = 1024;

interface Entry {
  response: KeptResponse;
  bytes: number;
}

export function createShelf({ changedSince, maxBytes }: ShelfOptions): Shelf {
  const entries = new Map<string, Entry>();
  const making = new Map<string, Promise<KeptResponse | null>>();
  let current: string | null = null;
  let advancing: Promise<void> | null = null;
  let held = 0;

  function drop(key: string): void {
    held -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  /** The latest goes to the end: the first one is the one that was asked for longest ago. */
  function put(key: string, entry: Entry): void {
    drop(key);
    // One must not push out all others.
    if (entry.bytes > maxBytes / 8) return;
    entries.set(key, entry);
    held += entry.bytes;
    while (held > maxBytes) drop(entries.keys().next().value!);
  }

  async function advance(mark: string): Promise<void> {
    const changed = current === null ? null : await changedSince(current);
    // What is being made may show what was before.
    making.clear();
    for (const [key, { response: { about } }] of entries) {
      if (changed === null || about === null || changed.has(about)) drop(key);
    }
    current = mark;
  }

  async function fill(
    key: string,
    make: () => Promise<KeptResponse | null>,
  ): Promise<KeptResponse | null> {
    const made = make();
    making.set(key, made);
    try {
      const response = await made;
      if (response !== null && making.get(key) === made) {
        put(key, { response, bytes: OVERHEAD + 2 * key.length + response.plain.bytes.length });
      }
      return response;
    } finally {
      if (making.get(key) === made) making.delete(key);
    }
  }

  return {
    async find(key, mark, make) {
      while (current !== mark) {
        advancing ??= advance(mark).finally(() => advancing = null);
        await advancing;
      }
      const entry = entries.get(key);
      if (entry !== undefined) {
        entries.delete(key);
        entries.set(key, entry);
        return entry.response;
      }
      const others = making.get(key);
      if (others === undefined) return await fill(key, make);
      return await others.catch(() => null);
    },
    grow(key, response, bytes) {
      const entry = entries.get(key);
      if (entry?.response === response) put(key, { response, bytes: entry.bytes + bytes });
    },
    bytes: () => held,
  };
}
