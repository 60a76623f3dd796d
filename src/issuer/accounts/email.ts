/**
 * E-mail addresses as users enter them.
 *
 * @module
 */
import { z } from "zod";

/** Longest address, in characters (RFC 5321). */
const MAX_LENGTH = 254;

// ASCII only: letters that only look alike would make two accounts of one person, or one of two.
const Email = z.email().max(MAX_LENGTH);

/** `text` without blanks around it when it is an address, else null. */
export function readEmail(text: string | undefined): string | null {
  const parsed = Email.safeParse(text?.trim());
  return parsed.success ? parsed.data : null;
}
