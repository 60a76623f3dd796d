/**
 * The operator's keys (`SECRETS_KEY`), and the envelopes in which values are kept: each value is
 * encrypted under a random key of its own, and that one under the operator's (AES-256-GCM). Both are
 * bound to server, user and name, so that no row of the table can take another's place.
 *
 * @module
 */

/** Parsed from the operator's setting, before anything is imported. */
export interface SecretsKeys {
  /** 32 bytes each; values are written with the first. */
  keys: readonly Uint8Array[];
  /** Ids of keys that the operator says are lost. */
  lost: readonly string[];
}

/** A value as it is stored. */
export interface Envelope {
  keyId: string;
  wrapped: Uint8Array;
  sealed: Uint8Array;
}

/** What a value is bound to; `subject` null: every user of the server. */
export interface Place {
  server: string;
  subject: string | null;
  name: string;
}

/** Seals and opens envelopes; holds no value itself. */
export interface KeyRing {
  /** Ids of the keys, the one that values are written with first. */
  readonly ids: readonly string[];
  readonly lost: readonly string[];
  seal(place: Place, value: string): Promise<Envelope>;
  /** The value; null when its key is not here, or it was kept in another place. */
  open(place: Place, envelope: Envelope): Promise<string | null>;
  /** The envelope under the first key; null when its own is not here. */
  rewrap(place: Place, envelope: Envelope): Promise<Envelope | null>;
}

const ALGORITHM = "AES-GCM";
const NONCE_BYTES = 12;
const ID_CHARS = 16;
const FORMAT = "berth-kept-value-1";

/** How a key is called in logs and errors: the beginning of its SHA-256. */
export async function keyId(key: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", key as BufferSource);
  return new Uint8Array(digest).toHex().slice(0, ID_CHARS);
}

async function imported(bytes: Uint8Array): Promise<CryptoKey> {
  return await crypto.subtle.importKey("raw", bytes as BufferSource, ALGORITHM, false, [
    "encrypt",
    "decrypt",
  ]);
}

function boundTo({ server, subject, name }: Place, what: "key" | "value"): BufferSource {
  return new TextEncoder().encode(JSON.stringify([FORMAT, what, server, subject, name]));
}

async function encrypt(key: CryptoKey, additionalData: BufferSource, plain: Uint8Array) {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const sealed = await crypto.subtle.encrypt(
    { name: ALGORITHM, iv, additionalData },
    key,
    plain as BufferSource,
  );
  const whole = new Uint8Array(NONCE_BYTES + sealed.byteLength);
  whole.set(iv);
  whole.set(new Uint8Array(sealed), NONCE_BYTES);
  return whole;
}

async function decrypt(
  key: CryptoKey,
  additionalData: BufferSource,
  whole: Uint8Array,
): Promise<Uint8Array | null> {
  const iv = whole.slice(0, NONCE_BYTES);
  try {
    const plain = await crypto.subtle.decrypt(
      { name: ALGORITHM, iv, additionalData },
      key,
      whole.slice(NONCE_BYTES),
    );
    return new Uint8Array(plain);
  } catch {
    return null;
  }
}

/** A ring of `keys`; null when there are none. */
export async function createKeyRing({ keys, lost }: SecretsKeys): Promise<KeyRing | null> {
  const entries = await Promise.all(
    keys.map(async (key) => [await keyId(key), await imported(key)] as const),
  );
  const [first] = entries;
  if (first === undefined) return null;
  const byId = new Map(entries);
  async function unwrap(place: Place, { keyId, wrapped }: Envelope): Promise<Uint8Array | null> {
    const key = byId.get(keyId);
    return key === undefined ? null : await decrypt(key, boundTo(place, "key"), wrapped);
  }
  return {
    ids: entries.map(([id]) => id),
    lost,
    async seal(place, value) {
      const own = crypto.getRandomValues(new Uint8Array(32));
      const plain = new TextEncoder().encode(value);
      return {
        keyId: first[0],
        wrapped: await encrypt(first[1], boundTo(place, "key"), own),
        sealed: await encrypt(await imported(own), boundTo(place, "value"), plain),
      };
    },
    async open(place, envelope) {
      const own = await unwrap(place, envelope);
      if (own === null) return null;
      const plain = await decrypt(await imported(own), boundTo(place, "value"), envelope.sealed);
      return plain === null ? null : new TextDecoder().decode(plain);
    },
    async rewrap(place, envelope) {
      const own = await unwrap(place, envelope);
      if (own === null) return null;
      const wrapped = await encrypt(first[1], boundTo(place, "key"), own);
      return { keyId: first[0], wrapped, sealed: envelope.sealed };
    },
  };
}
