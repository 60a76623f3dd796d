/**
 * Forgiving questions that find nothing: the words that no record has become the words of names and
 * tools that they are nearest to, and words are left out where no record has them all.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";
import { readable, type Viewer } from "../../access/rule.ts";
import type { RegistryDeps } from "../deps.ts";
import { answers, hasWord, parseQuestion } from "./search.ts";

/** Longer questions are answered as they are. */
const MAX_WORDS = 6;
const MIN_LENGTH = 4;
const MAX_LENGTH = 32;
/** How alike, by trigrams, a record must have a word: a third, as two swapped letters leave. */
const THRESHOLD = 0.3;
/** Records that are compared, however many are alike, and of these the ones that are read. */
const COMPARED = 3000;
const RECORDS = 50;
/** Records with a word that are counted: beyond it, it is frequent. */
const COUNTED = 1000;
/** Edits that a word of up to five characters may differ by, and a longer one. */
const EDITS = { short: 1, long: 2 } as const;

/**
 * How many insertions, removals, replacements and swaps of neighbours lead from `a` to `b` (optimal
 * string alignment); `most` + 1 when there are more.
 */
export function editsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + same);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) edits = Math.min(edits, beforeLast[j - 2]! + 1);
      row.push(edits);
    }
    if (Math.min(...row) > most) return most + 1;
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length]!, most + 1);
}

/** The word in `texts` that is nearest to `word`, and of those the most frequent; null for none. */
function nearest(word: string, texts: readonly string[]): string | null {
  const most = word.length <= 5 ? EDITS.short : EDITS.long;
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const other of new Set(text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])) {
      counts.set(other, (counts.get(other) ?? 0) + 1);
    }
  }
  const near = [...counts].map(([other, count]) => ({
    other,
    count,
    edits: other.length > MAX_LENGTH ? most + 1 : editsBetween(word, other, most),
  })).filter(({ edits }) => edits <= most);
  near.sort((a, b) => a.edits - b.edits || b.count - a.count || (a.other < b.other ? -1 : 1));
  return near[0]?.other ?? null;
}

/** A word of a question, and how many records have it. */
interface Counted {
  word: string;
  count: number;
}

async function countOf(tx: Queryable, word: string, viewer: Viewer): Promise<Counted> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int from (
      select from servers where ${hasWord(tx, word)} and ${readable(tx, viewer)} limit ${COUNTED}
    ) having_it`;
  return { word, count: row!.count };
}

async function nearestKnown(tx: Queryable, word: string, viewer: Viewer): Promise<string | null> {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH) return null;
  const alike = await tx<{ text: string }[]>`
    select text from (
      select name, server_names(search_text) as text from servers
      where ${word} <% server_names(search_text) and ${readable(tx, viewer)} limit ${COMPARED}
    ) alike
    order by word_similarity(${word}, text) desc, name limit ${RECORDS}`;
  return nearest(word, alike.map(({ text }) => text));
}

async function correctWord(tx: Queryable, word: string, viewer: Viewer): Promise<Counted> {
  const counted = await countOf(tx, word, viewer);
  if (counted.count > 0) return counted;
  const near = await nearestKnown(tx, word, viewer);
  return near === null ? counted : await countOf(tx, near, viewer);
}

/** Questions for those words, the nearest first: all, those that records have, the rarest of them. */
function questionsOf(words: readonly Counted[]): string[] {
  const known = words.filter(({ count }) => count > 0);
  const rarest = known.toSorted((a, b) => a.count - b.count).slice(0, 1);
  const questions = [words, known, rarest].map((some) => some.map(({ word }) => word).join(" "));
  return [...new Set(questions)].filter((text) => text !== "");
}

async function findsAny(sql: Queryable, q: string, viewer: Viewer): Promise<boolean> {
  const question = parseQuestion(q);
  if (question === null) return false;
  const found = await sql`
    select from servers where ${answers(sql, question)} and ${readable(sql, viewer)} limit 1`;
  return found.length > 0;
}

/**
 * The question that `q` may have been meant to be: with its typing errors corrected, else without the
 * words that no record has, else its rarest word. It finds something that `viewer` may read; null
 * where `q` itself does, or nothing like it.
 *
 * @throws {AppError} `invalid_request` when it has too many words.
 */
export async function correctQuestion(
  { sql }: Pick<RegistryDeps, "sql">,
  q: string,
  viewer: Viewer,
): Promise<string | null> {
  const question = parseQuestion(q);
  if (question === null || question.words.length > MAX_WORDS) return null;
  const { words } = question;
  const corrected = await sql.begin(async (tx) => {
    await tx`select set_config('pg_trgm.word_similarity_threshold', ${`${THRESHOLD}`}, true)`;
    const found: Counted[] = [];
    for (const word of words) found.push(await correctWord(tx, word, viewer));
    return found;
  });
  for (const text of questionsOf(corrected)) {
    if (await findsAny(sql, text, viewer)) return text === words.join(" ") ? null : text;
  }
  return null;
}
