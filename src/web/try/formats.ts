/**
 * Formats of texts that JSON Schema names, as far as they are checked before a tool is called.
 *
 * @module
 */
import { z } from "zod";

const TIME = /^\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i;

function isDay(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

function isTime(text: string): boolean {
  return TIME.test(text) && Number(text.slice(0, 2)) < 24 && Number(text.slice(3, 5)) < 60;
}

/** How a format is called, an example, and whether a text is of it. Lenient: the tool decides. */
const FORMATS: Record<string, [name: string, example: string, check: (text: string) => boolean]> = {
  email: ["an e-mail address", "ada@example.com", (text) => z.email().safeParse(text).success],
  uri: ["an address", "https://example.com/", (text) => URL.canParse(text)],
  date: ["a date", "2026-01-31", isDay],
  time: ["a time", "14:30:00", isTime],
  "date-time": [
    "a date and time",
    "2026-01-31T14:30:00Z",
    (text) => /^.{10}[T ]/i.test(text) && isDay(text.slice(0, 10)) && isTime(text.slice(11)),
  ],
  uuid: [
    "a UUID",
    "123e4567-e89b-12d3-a456-426614174000",
    (text) => z.guid().safeParse(text).success,
  ],
  ipv4: ["an IPv4 address", "192.0.2.1", (text) => z.ipv4().safeParse(text).success],
  ipv6: ["an IPv6 address", "2001:db8::1", (text) => z.ipv6().safeParse(text).success],
  hostname: ["a host name", "example.com", (text) => z.hostname().safeParse(text).success],
};

/** The format in words, with an example; null where it is not one that is checked. */
export function formatText(format: unknown): string | null {
  const known = typeof format === "string" && Object.hasOwn(FORMATS, format);
  if (!known) return null;
  const [name, example] = FORMATS[format]!;
  return `${name} such as ${example}`;
}

/** Whether `text` is of the format; what is not known is not refused. */
export function hasFormat(text: string, format: string): boolean {
  return !Object.hasOwn(FORMATS, format) || FORMATS[format]![2](text);
}
