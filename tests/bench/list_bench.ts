/**
 * How long lists and details take in a registry of 100,000 servers. Set `TEST_DATABASE_URL` to
 * measure a PostgreSQL server too, `BENCH_RECORDS` for another number of records (from 2,000).
 * It prints its own table: `Deno.bench` has no place to delete the databases at the end.
 *
 * @module
 */
import type { Database } from "../../src/database/open.ts";
import { getServer } from "../../src/registry/servers/get.ts";
import { listServers } from "../../src/registry/servers/list.ts";
import { ListQuery } from "../../src/registry/schema.ts";
import { describeDatabases } from "../helpers/database.ts";
import { seed } from "./seed.ts";

const RECORDS = Number(Deno.env.get("BENCH_RECORDS") ?? 100_000);

/** What is measured: a name and the list's parameters. */
const LISTS: [string, Record<string, string>][] = [
  ["first page of 1,000", {}],
  ["first page of 50", { limit: "50" }],
  ["page of 50, newest first", { limit: "50", sort: "updated" }],
  ["by author", { author: "AUTHOR 77" }],
  ["by lang and verdict, 50", { lang: "go", scan_passed: "false", limit: "50" }],
  ["by tool, 50", { tool: "get_weather", limit: "50" }],
  ["by max_price, 50", { max_price: "0", limit: "50" }],
  ["q: rare word, 50", { q: "topicqqx", limit: "50" }],
  ["q: two words, 50", { q: "weather forecast", limit: "50" }],
  ["q: one word, 50", { q: "weather", limit: "50" }],
  ["q: one word, by relevance, 50", { q: "weather", sort: "relevance", limit: "50" }],
  ["q: part of words, 50", { q: "opicq", limit: "50" }],
  ["q: most records, by relevance, 50", { q: "server", sort: "relevance", limit: "50" }],
  ["q: two words, by relevance, 50", { q: "city weather", sort: "relevance", limit: "50" }],
];

/** The cursor of a page in the middle of the list by name. */
async function middleCursor(database: Database): Promise<string> {
  let cursor: string | null = null;
  for (let page = 0; page < RECORDS / 2000; page++) {
    const query: ListQuery = ListQuery.parse(cursor === null ? {} : { cursor });
    cursor = (await listServers(database, query, null)).nextCursor;
  }
  return cursor!;
}

const RUNS = 20;

/** Milliseconds that `work` takes: the median and the worst of some runs, the first left out. */
async function measure(work: () => Promise<unknown>): Promise<{ median: number; worst: number }> {
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  const sorted = times.slice(1).sort((a, b) => a - b);
  return { median: sorted[RUNS >> 1]!, worst: sorted.at(-1)! };
}

function print(columns: string[]): void {
  const [name, ...figures] = columns;
  const line = name!.padEnd(36) + figures.map((figure) => figure.padStart(12)).join("");
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

async function measureLists(database: Database): Promise<void> {
  const cursor = await middleCursor(database);
  for (const [name, query] of [...LISTS, ["page in the middle, 1,000", { cursor }] as const]) {
    const list = () => listServers(database, ListQuery.parse(query), null);
    const { totalMatching } = await list();
    const { median, worst } = await measure(list);
    print([name, median.toFixed(1), worst.toFixed(1), String(totalMatching)]);
  }
  const [sample] = await database.sql<[{ name: string }]>`
    select name from servers order by created_at offset ${RECORDS >> 1} limit 1`;
  const { median, worst } = await measure(() =>
    getServer({ sql: database.sql, policy: { payments: false } }, sample.name, null)
  );
  print(["detail", median.toFixed(1), worst.toFixed(1), "1"]);
}

const kinds: [string, () => Promise<Database>][] = [];
describeDatabases((kind, open) => kinds.push([kind, open]));
for (const [kind, open] of kinds) {
  const database = await open();
  try {
    await seed(database.sql, RECORDS);
    print([`${kind}, ${RECORDS} records`, "median ms", "worst ms", "matching"]);
    await measureLists(database);
  } finally {
    await database.close();
  }
}
