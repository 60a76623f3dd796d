/**
 * Sealing of what leaves the memory of a node: nobody reads or changes it without the operator's key,
 * nor has it stand for something else.
 *
 * @module
 */

/** Seals bytes with the operator's newest key, and opens what any of the keys has sealed. */
export interface Sealer {
  /** Names the key that seals now, and says nothing of it. */
  readonly keyId: string;
  has(keyId: string): boolean;
  /** `context` must be given again to open it. */
  seal(plain: Uint8Array, context: string): Promise<Uint8Array<ArrayBuffer>>;
  /** What was sealed; null when it is not what was sealed in this context. */
  open(
    sealed: Uint8Array,
    context: string,
    keyId: string,
  ): Promise<Uint8Array<ArrayBuffer> | null>;
}

const NONCE_BYTES = 12;
const ID_BYTES = 8;
const PURPOSE = "berth parked sessions";

const encoder = new TextEncoder();

interface Key {
  id: string;
  key: CryptoKey;
}

/** A key for this purpose alone, derived from the operator's. */
async function derive(secret: Uint8Array): Promise<Key> {
  const master = await crypto.subtle.importKey(
    "raw",
    secret as Uint8Array<ArrayBuffer>,
    "HKDF",
    false,
    ["deriveKey", "deriveBits"],
  );
  const from = (info: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(0),
    info: encoder.encode(info),
  });
  const id = await crypto.subtle.deriveBits(from(`${PURPOSE}: id`), master, 8 * ID_BYTES);
  const key = await crypto.subtle.deriveKey(
    from(PURPOSE),
    master,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
  return { id: new Uint8Array(id).toHex(), key };
}

function parameters(nonce: Uint8Array, context: string) {
  return {
    name: "AES-GCM",
    iv: nonce as Uint8Array<ArrayBuffer>,
    additionalData: encoder.encode(context),
  };
}

/** A sealer with the operator's keys, the newest first. */
export async function createSealer(
  secrets: readonly [Uint8Array, ...Uint8Array[]],
): Promise<Sealer> {
  const keys = await Promise.all(secrets.map(derive));
  const [newest] = keys as [Key, ...Key[]];
  return {
    keyId: newest.id,
    has: (keyId) => keys.some(({ id }) => id === keyId),
    async seal(plain, context) {
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const text = await crypto.subtle.encrypt(
        parameters(nonce, context),
        newest.key,
        plain as Uint8Array<ArrayBuffer>,
      );
      const sealed = new Uint8Array(NONCE_BYTES + text.byteLength);
      sealed.set(nonce);
      sealed.set(new Uint8Array(text), NONCE_BYTES);
      return sealed;
    },
    async open(sealed, context, keyId) {
      const found = keys.find(({ id }) => id === keyId);
      if (found === undefined) return null;
      try {
        const plain = await crypto.subtle.decrypt(
          parameters(sealed.subarray(0, NONCE_BYTES), context),
          found.key,
          sealed.subarray(NONCE_BYTES) as Uint8Array<ArrayBuffer>,
        );
        return new Uint8Array(plain);
      } catch {
        return null;
      }
    },
  };
}
