/**
 * Proposes what a server is for from its own words, by fixed rules: the same record gives the same
 * proposal.
 *
 * @module
 */
import { CATEGORIES, type Category } from "./categories.ts";
import { CATEGORY_WORDS, singular, TAG_OF } from "./words.ts";

/** What the rules read of a record. */
export interface TopicSource {
  name: string;
  tools: readonly string[];
  description: string;
}

/** A category and tags. */
export interface Topics {
  category: Category;
  tags: string[];
}

/** How much a word tells, by where it stands. */
const WEIGHTS = { name: 5, tools: 2, description: 1 } as const;
/** Fewest points of a category: a single word of a description may be about anything. */
const MIN_POINTS = 2;
const MAX_PROPOSED_TAGS = 5;
/** What is read of tools: enough to tell, however many there are. */
const MAX_TOOLS = 100;

const CATEGORIES_OF: ReadonlyMap<string, readonly Category[]> = categoriesByWord();

function categoriesByWord(): Map<string, Category[]> {
  const found = new Map<string, Category[]>();
  for (const [category, words] of Object.entries(CATEGORY_WORDS)) {
    for (const word of words) {
      found.set(word, [...found.get(word) ?? [], category as Category]);
    }
  }
  return found;
}

/** The words of a text, in the form that the tables have them; those of joined names apart. */
export function wordsOf(text: string): Set<string> {
  const apart = text.normalize("NFKC").replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  const words = apart.match(/[\p{L}\p{M}]+[0-9]*|[0-9]+/gu) ?? [];
  return new Set(words.map(singular));
}

/** Points of each word: that of the place which tells most. */
function pointsOf({ name, tools, description }: TopicSource): Map<string, number> {
  const points = new Map<string, number>();
  const places = [
    [description, WEIGHTS.description],
    [tools.slice(0, MAX_TOOLS).join(" "), WEIGHTS.tools],
    [name, WEIGHTS.name],
  ] as const;
  for (const [text, weight] of places) {
    for (const word of wordsOf(text)) points.set(word, weight);
  }
  return points;
}

function add<Key>(sums: Map<Key, number>, key: Key, points: number): void {
  sums.set(key, (sums.get(key) ?? 0) + points);
}

/** The category and the tags that the words of `source` speak for. */
export function proposeTopics(source: TopicSource): Topics {
  const categories = new Map<Category, number>();
  const tags = new Map<string, number>();
  for (const [word, points] of pointsOf(source)) {
    for (const category of CATEGORIES_OF.get(word) ?? []) add(categories, category, points);
    const tag = TAG_OF.get(word);
    if (tag !== undefined) add(tags, tag, points);
  }
  const [best] = [...categories].filter(([, points]) => points >= MIN_POINTS).toSorted((a, b) =>
    b[1] - a[1] || CATEGORIES.indexOf(a[0]) - CATEGORIES.indexOf(b[0])
  );
  const most = [...tags].filter(([, points]) => points >= MIN_POINTS)
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return {
    category: best?.[0] ?? "other",
    tags: most.slice(0, MAX_PROPOSED_TAGS).map(([tag]) => tag),
  };
}
