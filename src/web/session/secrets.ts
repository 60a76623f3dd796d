/**
 * What is made of the secret in a browser's cookie: the id that the database knows, tokens in
 * forms, and the key that seals what the session holds. So who reads the database can neither sign
 * in nor use a token.
 *
 * @module
 */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

const SECRET = /^[\w-]{43}$/;
const IV_BYTES = 12;

/** 256 random bits as text. */
export function randomSecret(): string {
  return crypto.getRandomValues(new Uint8Array(32))
    .toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Whether `text` has the form of {@link randomSecret}. */
export function isSecret(text: string | undefined): text is string {
  return text !== undefined && SECRET.test(text);
}

/** A value for `purpose`, which nobody can make without `secret`, nor lead back to it. */
export function derive(secret: string, purpose: string): string {
  return createHmac("sha256", secret).update(purpose).digest("base64url");
}

/** Whether both are equal, in the same time wherever they differ. */
export function isSame(expected: string, given: string): boolean {
  const [a, b] = [expected, given].map((text) => new TextEncoder().encode(text));
  return a!.length === b!.length && timingSafeEqual(a!, b!);
}

/** SHA-256 of `secret`, in hexadecimal. */
export async function idOf(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
  return new Uint8Array(digest).toHex();
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = hkdfSync("sha256", secret, "", "berth web session tokens", 32);
  return await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** `value` as JSON, readable only with `secret` (AES-256-GCM). */
export async function seal(secret: string, value: unknown): Promise<Uint8Array> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const data = new TextEncoder().encode(JSON.stringify(value));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await keyOf(secret), data);
  const result = new Uint8Array(IV_BYTES + sealed.byteLength);
  result.set(iv);
  result.set(new Uint8Array(sealed), IV_BYTES);
  return result;
}

/** What was sealed; null when it was sealed with another secret, or changed. */
export async function unseal(secret: string, sealed: Uint8Array): Promise<unknown> {
  try {
    const copy = new Uint8Array(sealed);
    const iv = copy.slice(0, IV_BYTES);
    const data = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv },
      await keyOf(secret),
      copy.slice(IV_BYTES),
    );
    return JSON.parse(new TextDecoder().decode(data));
  } catch {
    return null;
  }
}
