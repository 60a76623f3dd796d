/**
 * What a schema found wrong, in words: predicates of the field, such as "must not be empty".
 *
 * @module
 */
import type { z } from "zod";

type Issue = z.core.$ZodIssue;

const TYPES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
  null: "null",
};

const FORMATS: Record<string, string> = {
  datetime: "a timestamp such as 2026-05-01T00:00:00Z",
  uuid: "a UUID",
  url: "a URL such as https://example.com",
  email: "an email address",
};

/** What sizes of a kind of value are counted in; numbers have none. */
const UNITS: Record<string, [one: string, many: string]> = {
  string: ["character", "characters"],
  array: ["item", "items"],
  set: ["item", "items"],
};

function sizeText(origin: string, bound: "at least" | "at most", size: number | bigint): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `must be ${bound} ${size}`;
  return `must have ${bound} ${size} ${unit[size === 1 || size === 1n ? 0 : 1]}`;
}

function choicesText(values: readonly unknown[]): string {
  const texts = values.map(String);
  return texts.length === 1 ? `must be ${texts[0]}` : `must be one of ${texts.join(", ")}`;
}

/** What `issue` says in zod's own words, as a predicate; null for kinds that no schema here has. */
function ownText(issue: Issue): string | null {
  if (issue.code === "invalid_type") {
    if (/received undefined$/.test(issue.message)) return "is required";
    return `must be ${TYPES[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === "too_small") {
    return issue.minimum === 1 && issue.origin in UNITS
      ? "must not be empty"
      : sizeText(issue.origin, "at least", issue.minimum);
  }
  if (issue.code === "too_big") return sizeText(issue.origin, "at most", issue.maximum);
  if (issue.code === "invalid_value") return choicesText(issue.values);
  if (issue.code === "invalid_format") {
    const format = FORMATS[issue.format];
    return format === undefined ? "has an invalid format" : `must be ${format}`;
  }
  return null;
}

/** The predicate that `issue` makes. Texts that our schemas give themselves are used as they are. */
export function issueText(issue: Issue): string {
  const { message } = issue;
  // zod's own are sentences; those of our schemas begin with a small letter.
  const own = /^[A-Z]/.test(message) ? ownText(issue) : null;
  return own ?? message.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
}
