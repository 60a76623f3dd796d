/**
 * The keys by which nodes know each other's requests: made at each start, and never stored.
 *
 * @module
 */

const ALGORITHM = "Ed25519";

/** What a node signs with, and what others check that with. */
export interface NodeKeys {
  publicKey: Uint8Array<ArrayBuffer>;
  sign(text: string): Promise<Uint8Array>;
}

const encoder = new TextEncoder();

/** A pair that nobody else has, of which only one half can leave this process. */
export async function createKeys(): Promise<NodeKeys> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]);
  const { publicKey, privateKey } = pair as CryptoKeyPair;
  return {
    publicKey: new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)),
    async sign(text) {
      return new Uint8Array(await crypto.subtle.sign(ALGORITHM, privateKey, encoder.encode(text)));
    },
  };
}

/** Whether who has `publicKey` has signed `text`. */
export async function isSigned(
  publicKey: Uint8Array<ArrayBuffer>,
  text: string,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const key = await crypto.subtle.importKey("raw", publicKey, ALGORITHM, false, ["verify"]);
  return await crypto.subtle.verify(ALGORITHM, key, signature, encoder.encode(text));
}
