/**
 * The name that a user gets at the first authenticated request.
 *
 * @module
 */

/** Bounds of a username's length. */
export const USERNAME_LENGTH = { min: 2, max: 39 } as const;

function lowered(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[^a-z0-9]+/g, "-").replace(/^-+/, "");
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/-+$/, "");
}

async function fromSubject(subject: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subject));
  return `user-${new Uint8Array(digest).toHex().slice(0, 8)}`;
}

/**
 * The username that a user would like to have: the e-mail's local part as `[a-z0-9-]`, or, where
 * that leaves nothing usable, `user-` and eight hexadecimal digits of the subject's SHA-256.
 */
export async function preferredUsername(subject: string, email: string | null): Promise<string> {
  const at = email?.lastIndexOf("@") ?? -1;
  const name = at > 0 ? cut(lowered(email!.slice(0, at)), USERNAME_LENGTH.max) : "";
  return name.length >= USERNAME_LENGTH.min ? name : await fromSubject(subject);
}

/** `preferred` with the suffix that makes it the `number`th of its kind, within the length. */
export function numbered(preferred: string, number: number): string {
  if (number === 1) return preferred;
  const suffix = `-${number}`;
  return cut(preferred, USERNAME_LENGTH.max - suffix.length) + suffix;
}
