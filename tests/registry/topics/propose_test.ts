import { assert, assertEquals } from "@std/assert";
import {
  CATEGORIES,
  Category,
  MAX_TAGS,
  Tag,
  Tags,
} from "../../../src/registry/topics/categories.ts";
import { proposeTopics, wordsOf } from "../../../src/registry/topics/propose.ts";
import { TAG_OF } from "../../../src/registry/topics/words.ts";
import { catalogueServers } from "../../helpers/catalogue/seed.ts";

/** What people would say of servers of the catalogue. */
const EXPECTED: Record<string, string> = {
  "github-issues": "developer-tools",
  "postgres-query": "data",
  "redis-inspector": "data",
  "gmail-assistant": "communication",
  "telegram-notify": "communication",
  "google-calendar": "productivity",
  "notion-pages": "productivity",
  "weather-forecast": "places",
  "wetter-deutschland": "places",
  "train-times": "places",
  "brave-search": "web",
  "arxiv-papers": "knowledge",
  "pdf-tools": "documents",
  "excel-sheets": "documents",
  "image-resize": "media",
  "spotify-player": "media",
  "vector-search": "ai",
  "kubernetes": "cloud",
  "docker-engine": "cloud",
  "vuln-lookup": "security",
  "stripe-payments": "finance",
  "stock-quotes": "finance",
  "shopify-store": "business",
  "zendesk-tickets": "business",
  "home-assistant": "home",
  "mastodon": "social",
  "translate-text": "utilities",
  "calculator": "utilities",
  "x": "other",
};

Deno.test("proposeTopics() says of servers what people would say", async () => {
  const servers = new Map((await catalogueServers()).map((server) => [server.name, server]));
  const proposed = Object.keys(EXPECTED).map((name) =>
    [name, proposeTopics(servers.get(name)!).category] as const
  );
  assertEquals(Object.fromEntries(proposed), EXPECTED);
  const all = [...servers.values()].map((server) => proposeTopics(server).category);
  const other = all.filter((category) => category === "other").length;
  assert(other < all.length / 5, `${other} of ${all.length} are in no category`);
});

Deno.test("proposeTopics() gives tags of its own list, the ones that say most first", () => {
  const { tags } = proposeTopics({
    name: "mail-sender",
    tools: ["send_mail", "listCalendarEvents"],
    description: "Mail",
  });
  assertEquals(tags, ["email", "calendar"]);
  for (const tag of new Set(TAG_OF.values())) assertEquals(Tag.safeParse(tag).success, true, tag);
});

Deno.test("proposeTopics() depends on words alone, however much there is of them", () => {
  const source = { name: "tool", tools: [], description: "" };
  assertEquals(proposeTopics(source), { category: "other", tags: [] });
  const often = { ...source, description: "shop ".repeat(900) };
  assertEquals(proposeTopics(often).category, "other");
  const many = {
    name: "a-".repeat(32).slice(0, -1),
    tools: Array.from({ length: 1000 }, (_, n) => `${"x".repeat(120)}${n}`),
    description: "mail calendar sql weather pdf music docker aws dns news rag crm git ci logs "
      .repeat(50),
  };
  const { tags } = proposeTopics(many);
  assert(tags.length <= MAX_TAGS);
  assertEquals(Tags.safeParse(tags).success, true);
  assertEquals(
    proposeTopics({ ...source, name: "constructor", tools: ["__proto__"] }).category,
    "other",
  );
});

Deno.test("wordsOf() takes names apart and drops the s of plurals", () => {
  assertEquals([...wordsOf("listCalendarEvents get_news ＰＤＦs 天気")], [
    "list",
    "calendar",
    "event",
    "get",
    "news",
    "pdf",
    "天気",
  ]);
});

Deno.test("categories and tags are what the schemas take, nothing else", () => {
  for (const category of CATEGORIES) assertEquals(Category.parse(category), category);
  const hostile = [
    "",
    "Weather",
    "two words",
    "<script>",
    "a--b",
    "-a",
    "a".repeat(33),
    "\u202etag",
    "a\0",
    "ünï",
    "../..",
  ];
  for (const tag of hostile) assertEquals(Tag.safeParse(tag).success, false, tag);
  assertEquals(Tags.safeParse(["a", "a"]).success, false);
  assertEquals(Tags.safeParse(Array.from({ length: 9 }, (_, n) => `t${n}`)).success, false);
});
