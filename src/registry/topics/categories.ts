/**
 * What servers are for: a fixed set of categories, and tags that are free.
 *
 * @module
 */
import { z } from "zod";

/** The categories, in the order in which they are offered. */
export const CATEGORIES = [
  "developer-tools",
  "data",
  "web",
  "communication",
  "productivity",
  "documents",
  "knowledge",
  "ai",
  "media",
  "cloud",
  "security",
  "finance",
  "business",
  "places",
  "home",
  "social",
  "utilities",
  "other",
] as const;

/** A category, as addresses and the API have it. */
export const Category = z.enum(CATEGORIES).meta({
  id: "Category",
  description: "What the server is for",
  example: "places",
});
export type Category = z.infer<typeof Category>;

/** Categories for people. */
export const CATEGORY_LABELS: Record<Category, string> = {
  "developer-tools": "Developer tools",
  data: "Databases and data",
  web: "Web and search",
  communication: "Mail and messages",
  productivity: "Calendars, notes and tasks",
  documents: "Files and documents",
  knowledge: "Science and knowledge",
  ai: "Models and memory",
  media: "Images, audio and video",
  cloud: "Cloud and operations",
  security: "Security",
  finance: "Money and markets",
  business: "Shops and customers",
  places: "Weather, maps and travel",
  home: "Home and devices",
  social: "Social and news",
  utilities: "Language, time and numbers",
  other: "Other",
};

/** Most tags of a server. */
export const MAX_TAGS = 8;

/** A tag: a word, or several joined by hyphens. */
export const Tag = z.string().max(32).regex(
  /^[a-z0-9]+(-[a-z0-9]+)*$/,
  "must be lowercase letters and digits, in words separated by single hyphens",
).meta({ example: "weather" });

/** All tags of a server. */
export const Tags = z.array(Tag).max(MAX_TAGS).refine(
  (tags) => new Set(tags).size === tags.length,
  "must not contain duplicates",
).meta({ description: "Words that the server is found by, beside its category" });
