/**
 * Words of questions: those that say nothing, and those that mean the same in what servers do.
 *
 * @module
 */

/** Words that say nothing about a server. */
const EMPTY = new Set(
  ("a an the to of for in on at with my me i we our your you it its this that and or from by is are " +
    "be do does can how want wants need needs would like please some any into about").split(" "),
);

/** Words that stand for each other. Few, as each makes a search wider. */
const ALIKE = [
  "mail email gmail inbox",
  "database db",
  "image picture photo",
  "calendar appointment",
  "message chat",
  "repository repo",
  "kubernetes k8s",
  "postgres postgresql",
  "video movie",
  "music song",
  "payment pay",
  "task todo",
  "spreadsheet excel",
  "find search lookup",
  "send post publish",
  "create add make",
  "delete remove",
  "read get fetch",
].map((group) => group.split(" "));

const OTHERS: ReadonlyMap<string, readonly string[]> = new Map(
  ALIKE.flatMap((group) =>
    group.map((word) => [word, group.filter((other) => other !== word)] as const)
  ),
);

/** `words` without those that say nothing, unless nothing else is asked. */
export function tellingWords(words: readonly string[]): string[] {
  const telling = words.filter((word) => !EMPTY.has(word));
  return telling.length === 0 ? [...words] : telling;
}

/** `word`, and the words that stand for it. */
export function withAlike(word: string): string[] {
  return [word, ...OTHERS.get(word) ?? []];
}
