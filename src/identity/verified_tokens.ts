/**
 * Tokens whose signature was checked: a client sends the same one with each request, and checking
 * a signature takes more processor time than the rest of a small request (ES256: 0.8 ms).
 *
 * Only that arithmetic is left out. The key is looked up each time, so a key that the issuer has
 * dropped counts no more; expiry, audience and revocation are checked by others, each time.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { FindKey } from "./key_set.ts";
import { verifySignature } from "./signature.ts";

/** Checks signatures and remembers good ones. */
export interface VerifiedTokens {
  /**
   * The claims of `token`, as {@link verifySignature} has them; not to be changed.
   *
   * @throws {AppError} As {@link verifySignature}.
   */
  check(token: string, findKey: FindKey): Promise<Readonly<Record<string, unknown>>>;
}

/** Tokens remembered: of at most 16 KiB each, usually of one. */
const CAPACITY = 1000;

type Header = Parameters<FindKey>[0];
type Key = Awaited<ReturnType<FindKey>>;

interface Verified {
  header: Header;
  /** As the key set gave it: the same key of a set that was loaded again is another object. */
  key: Key;
  claims: Readonly<Record<string, unknown>>;
}

async function keyOf(header: Header, findKey: FindKey): Promise<Key | null> {
  try {
    return await findKey(header);
  } catch {
    return null;
  }
}

/** A memory of the `capacity` tokens used last. It holds digests, from which no token can be made. */
export function createVerifiedTokens(capacity = CAPACITY): VerifiedTokens {
  const known = new Map<string, Verified>();

  return {
    async check(token, findKey) {
      // Of all of it: another signature is another token, to be checked.
      const digest = createHash("sha256").update(token).digest("base64");
      const before = known.get(digest);
      // A missing key is reported by the check that follows.
      if (before !== undefined && await keyOf(before.header, findKey) === before.key) {
        known.delete(digest);
        known.set(digest, before);
        return before.claims;
      }
      known.delete(digest);
      // Stays empty for a token that names no key and is checked against several.
      const found: Pick<Verified, "header" | "key">[] = [];
      const claims = await verifySignature(token, async (header, input) => {
        const key = await findKey(header, input);
        found.push({ header, key });
        return key;
      });
      for (const by of found) known.set(digest, { ...by, claims });
      for (const oldest of known.keys()) {
        if (known.size <= capacity) break;
        known.delete(oldest);
      }
      return claims;
    },
  };
}
