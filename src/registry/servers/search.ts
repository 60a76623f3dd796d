/**
 * Searching records by words. Every word of a question that says something, or one that stands for it,
 * must be found in a record's name, tools or description: as a word, by its stem, or as a part of one.
 * A question that nearly is a name finds it too.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";
import { tooManyWords } from "../failures.ts";
import { tellingWords, withAlike } from "./alike_words.ts";
import { searchForm } from "./stored_text.ts";

const MAX_WORDS = 16;

/** Shorter parts of words have no trigrams: the index cannot find them. */
const MIN_PART = 3;

/** A search query, normalized and split into words. */
export interface Question {
  /** In the form that is searched. */
  text: string;
  /** Those that say something. */
  words: string[];
}

/**
 * Parses the parameter `q`; null when it asks nothing.
 *
 * @throws {AppError} `invalid_request` when it has too many words.
 */
export function parseQuestion(q: string | undefined): Question | null {
  const text = searchForm(q ?? "");
  if (text === "") return null;
  const words = tellingWords([...new Set(text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])]);
  if (words.length > MAX_WORDS) throw tooManyWords(MAX_WORDS);
  return { text, words };
}

function containsWord(sql: Queryable, word: string) {
  // Words hold letters and digits only, so nothing in them is a wildcard or an operator.
  if (word.length < MIN_PART && /^[a-z0-9]+$/.test(word)) {
    return sql`search @@ to_tsquery('pg_catalog.simple', ${`${word}:*`})`;
  }
  // The part first: what the indexes find is checked again, and this check is the cheap one.
  return sql`(search_text like ${`%${word}%`} or search @@
    (plainto_tsquery('pg_catalog.english', ${word}) || plainto_tsquery('pg_catalog.simple', ${word})))`;
}

/** The condition of records that have the word, or one that stands for it. */
export function hasWord(sql: Queryable, word: string) {
  const each = withAlike(word).map((one) => containsWord(sql, one));
  return sql`(${each.reduce((left, right) => sql`${left} or ${right}`)})`;
}

/** Those of a server's tools whose names have a word of the question. */
export function matchingTools({ words }: Question, tools: readonly string[]): string[] {
  const sought = words.filter((word) => word.length >= MIN_PART).flatMap(withAlike);
  return tools.filter((tool) => {
    const name = searchForm(tool);
    return sought.some((word) => name.includes(word));
  });
}

/** The condition of records that answer the question. */
export function answers(sql: Queryable, question: Question) {
  const { words, text } = question;
  if (words.length === 0) return sql`false`;
  const all = words.map((word) => hasWord(sql, word))
    .reduce((left, right) => sql`${left} and ${right}`);
  return sql`((${all}) or ${text} <% name)`;
}

/**
 * How well a record answers, as an expression: by its name first, then by where and how often the
 * words occur (in the name, in tools, in the description), and a little by how much it is used.
 */
export function relevance(sql: Queryable, question: Question) {
  const { text, words } = question;
  const name = words.join("-");
  return sql`((name = ${name})::int * 4 + (name like ${`%${name}%`})::int +
    ts_rank(search, plainto_tsquery('pg_catalog.english', ${text})
      || plainto_tsquery('pg_catalog.simple', ${text}))
    + ln(1 + calls) / 100)::float8`;
}
