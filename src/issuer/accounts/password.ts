/**
 * Passwords: what is accepted, and how they are kept.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** Bounds of a password's length, in characters. */
export const PASSWORD_LENGTH = { min: 10, max: 256 } as const;

/**
 * Cost of scrypt: 2^15 × 8 × 3, about 32 MiB and a third of a second, equal in strength to the
 * other settings that OWASP lists. It runs on a thread of its own, other than Argon2 in
 * WebAssembly, so that a sign-in does not hold up every other request.
 */
const COST = { ln: 15, r: 8, p: 3 } as const;
const MEMORY_BYTES = 128 * 1024 * 1024;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** Hashes at once; more wait, so that a flood of sign-ins does not take the machine's memory. */
const AT_ONCE = 2;

const FORM = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

let running = 0;
const waiting: (() => void)[] = [];

async function turn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}

interface Cost {
  ln: number;
  r: number;
  p: number;
}

function derive(password: string, salt: Uint8Array, { ln, r, p }: Cost): Promise<Buffer> {
  // One text however the keyboard composes its characters.
  const text = password.normalize("NFKC");
  return turn(() =>
    new Promise((resolve, reject) => {
      const options = { N: 2 ** ln, r, p, maxmem: MEMORY_BYTES };
      scrypt(text, salt, HASH_BYTES, options, (error, key) => error ? reject(error) : resolve(key));
    })
  );
}

function base64(bytes: Uint8Array): string {
  return bytes.toBase64({ omitPadding: true });
}

/** A salted hash of `password`, with its cost, as text. */
export async function hashPassword(password: string): Promise<string> {
  const salt = new Uint8Array(randomBytes(SALT_BYTES));
  const hash = await derive(password, salt, COST);
  return `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${base64(salt)}$${base64(hash)}`;
}

// Stands in where there is no account: the comparison takes the same time, and never succeeds.
const NOBODY = `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${base64(new Uint8Array(16))}$${
  base64(new Uint8Array(32))
}`;

/** Whether `password` is the one that `stored` was made of. `null` costs the same and is false. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const match = FORM.exec(stored ?? NOBODY);
  if (match === null) throw new Error("Cannot read a stored password hash");
  const [, ln, r, p, salt, hash] = match;
  const expected = Uint8Array.fromBase64(hash!);
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  const actual = await derive(password, Uint8Array.fromBase64(salt!), cost);
  return timingSafeEqual(actual, Buffer.from(expected)) && stored !== null;
}

/** What is wrong with `password` as a new one for the account of `email`; null when it will do. */
export function passwordFault(password: string, email: string | null): string | null {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH.min) {
    return `Use at least ${PASSWORD_LENGTH.min} characters`;
  }
  if (length > PASSWORD_LENGTH.max) return `Use at most ${PASSWORD_LENGTH.max} characters`;
  if (new Set(password).size < 4) return "Use more different characters";
  const plain = password.toLowerCase();
  const local = email?.toLowerCase().split("@")[0] ?? "";
  if (plain === email?.toLowerCase() || (local.length >= 4 && plain.startsWith(local))) {
    return "Do not start with your e-mail address";
  }
  if (/^(?:password|passwort|qwertyuiop|1234567890|letmein)/.test(plain)) {
    return "This password is too common. Choose another one";
  }
  return null;
}
