/**
 * Settings that are secrets: how they are written, and how several stand together while one rotates.
 * What is said of a bad one never shows it.
 *
 * @module
 */
import { createPrivateKey, type KeyObject } from "node:crypto";
import { z } from "zod";

const SECRETS_MAX = 10;

function webhookSecret(text: string): Uint8Array | null {
  if (!text.startsWith("whsec_")) return null;
  try {
    const bytes = Uint8Array.fromBase64(text.slice("whsec_".length));
    return bytes.length >= 24 && bytes.length <= 64 ? bytes : null;
  } catch {
    return null;
  }
}

/** Secrets as Standard Webhooks writes them; several, by blanks or commas, while one rotates. */
export function webhookSecrets() {
  return z.string().transform((text, context) => {
    const secrets = text.split(/[\s,]+/).filter((part) => part !== "").map(webhookSecret);
    const valid = secrets.filter((secret) => secret !== null);
    if (valid.length > 0 && valid.length === secrets.length && valid.length <= SECRETS_MAX) {
      return valid;
    }
    context.addIssue({
      code: "custom",
      message: 'must be "whsec_" followed by 24 to 64 bytes in base64; up to ' +
        `${SECRETS_MAX} of them, separated by spaces or commas`,
    });
    return z.NEVER;
  });
}

const KEY_BYTES = 32;
const KEYS_MAX = 10;

/** A key of `SECRETS_KEY`, or the id of one that is lost. */
function secretsKey(text: string): Uint8Array | string | null {
  const lost = /^lost:([0-9a-f]{16})$/.exec(text)?.[1];
  if (lost !== undefined) return lost;
  try {
    const bytes = Uint8Array.fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
    return bytes.length === KEY_BYTES ? bytes : null;
  } catch {
    return null;
  }
}

/** Keys under which values are kept, the newest first; several while one rotates. */
export function secretsKeys() {
  return z.string().transform((text, context) => {
    const entries = text.split(/[\s,]+/).filter((part) => part !== "").map(secretsKey);
    const keys = entries.filter((entry) => entry instanceof Uint8Array);
    const lost = entries.filter((entry) => typeof entry === "string");
    if (keys.length > 0 && entries.length <= KEYS_MAX && !entries.includes(null)) {
      return { keys, lost };
    }
    context.addIssue({
      code: "custom",
      message: `must be ${KEY_BYTES} random bytes in base64 (openssl rand -base64 ${KEY_BYTES}); ` +
        `up to ${KEYS_MAX}, the newest first, separated by spaces or commas`,
    });
    return z.NEVER;
  });
}

const RSA_BITS_MIN = 2048;

function rsaKey(text: string): KeyObject | null {
  try {
    const key = createPrivateKey(text.trim().replaceAll("\\n", "\n"));
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === "rsa" && bits >= RSA_BITS_MIN ? key : null;
  } catch {
    return null;
  }
}

/** A private key that signs, as GitHub gives it: PEM. Its lines may be separated by `\n`. */
export function rsaPrivateKey() {
  return z.string().max(20_000).transform((text, context) => {
    const key = rsaKey(text);
    if (key !== null) return key;
    context.addIssue({
      code: "custom",
      message: `must be a private RSA key of ${RSA_BITS_MIN} bits or more, in PEM`,
    });
    return z.NEVER;
  });
}
