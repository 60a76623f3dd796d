/**
 * Texts as they are stored.
 *
 * @module
 */

const SUMMARY_LENGTH = 200;
/** A cut at a word may make the summary this much shorter, not more. */
const SUMMARY_SLACK = 60;

/** A description as lists show it: at most 200 characters, cut at a word. */
export function summarize(description: string): string {
  const flat = description.replace(/\s+/g, " ").trim();
  const characters = Array.from(flat);
  if (characters.length <= SUMMARY_LENGTH) return flat;
  const head = characters.slice(0, SUMMARY_LENGTH - 1).join("");
  const space = head.lastIndexOf(" ");
  const kept = space >= head.length - SUMMARY_SLACK ? head.slice(0, space) : head;
  return `${kept.replace(/[\s.,;:!?-]+$/, "")}…`;
}

/** How texts are compared in a search, on one line: the same form for records and for questions. */
export function searchForm(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

/**
 * `value` with the characters replaced that PostgreSQL cannot store: NUL, and halves of surrogate
 * pairs. Reports quote repositories, which may hold anything.
 */
export function storable<T>(value: T): T {
  if (typeof value === "string") return value.toWellFormed().replaceAll("\0", "\ufffd") as T;
  if (Array.isArray(value)) return value.map(storable) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [storable(key), storable(item)]);
  return Object.fromEntries(entries) as T;
}
