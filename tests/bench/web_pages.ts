/**
 * Server time and weight of the front page and of a server's page, with 100,000 records. Prints
 * both for the pages and for the API's answers with the same content, and their ratio; and the
 * processor time of this process, which does not depend on what else the machine does.
 *
 * `deno run -A tests/bench/web_pages.ts [records]`; set `TEST_DATABASE_URL` to measure a PostgreSQL
 * server instead of the embedded database.
 *
 * @module
 */
import process from "node:process";
import { openDatabase } from "../../src/database/open.ts";
import { createServerDatabase, prepareDataDir, silentLog } from "../helpers/database.ts";
import { weightOf } from "../helpers/weight.ts";
import { startSite, type TestSite } from "../web/harness.ts";
import { seed } from "./seed.ts";

const RECORDS = Number(Deno.args[0] ?? 100_000);
const ROUNDS = 40;

const encoder = new TextEncoder();

function print(line: string): void {
  Deno.stdout.writeSync(encoder.encode(`${line}\n`));
}

interface Measured {
  median: number;
  p95: number;
  /** Milliseconds of processor time for each, the client's included. */
  processor: number;
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function measure(url: string): Promise<Measured> {
  const times: number[] = [];
  let used = 0;
  for (let round = 0; round < ROUNDS + 5; round++) {
    const from = performance.now();
    const response = await fetch(url.replace("%", String(round)), {
      headers: { accept: "text/html" },
    });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
    // The first ones warm up.
    if (round >= 5) times.push(performance.now() - from);
    else used = processorMs();
  }
  times.sort((a, b) => a - b);
  return {
    median: times[ROUNDS / 2]!,
    p95: times[Math.floor(ROUNDS * 0.95)]!,
    processor: (processorMs() - used) / ROUNDS,
  };
}

/** Pages, each with the API's list or detail of the same content; `%` differs each time. */
function pagesOf(name: string): [what: string, path: string, api: string][] {
  return [
    ["front page", "/", "/api/v1/servers?sort=updated&limit=20"],
    // Another list each time, so that what is counted for the filters is never there already.
    ["front page, counted", "/?price=1%", "/api/v1/servers?sort=updated&limit=20&max_price=1%"],
    ["popular", "/?sort=popular", "/api/v1/servers?sort=popular&limit=20"],
    ["category", "/?category=places", "/api/v1/servers?category=places&sort=popular&limit=20"],
    ["search", "/?q=weather", "/api/v1/servers?q=weather&sort=relevance&limit=20"],
    ["corrected search", "/?q=wether", "/api/v1/servers?q=weather&sort=relevance&limit=20"],
    ["license", "/?license=MIT", "/api/v1/servers?license=MIT&sort=updated&limit=20"],
    ["server", `/servers/${name}`, `/api/v1/servers/${name}`],
    ["security", `/servers/${name}/security`, `/api/v1/servers/${name}`],
  ];
}

async function measurePages(site: TestSite, name: string): Promise<void> {
  for (const [what, path, api] of pagesOf(name)) {
    const page = await measure(site.url + path);
    const answer = await measure(site.url + api);
    const kilobytes = (await weightOf(site.url + path.replace("%", ""))) / 1000;
    print(
      `${what}: median ${page.median.toFixed(1)} ms, p95 ${page.p95.toFixed(1)} ms, ` +
        `processor ${page.processor.toFixed(1)} ms, ` +
        `${(page.median / answer.median).toFixed(2)} times the API's ${
          answer.median.toFixed(1)
        } ms; ${kilobytes.toFixed(0)} kB sent`,
    );
  }
}

/** Seeds the database that `environment` names, and measures pages over it. */
async function measureDatabase(kind: string, environment: Record<string, string>): Promise<void> {
  const dataDir = await prepareDataDir();
  try {
    print(`${kind}: ${RECORDS} records`);
    const url = environment["DATABASE_URL"];
    const database = await openDatabase({ dataDir, log: silentLog, ...(url ? { url } : {}) });
    await seed(database.sql, RECORDS);
    const [row] = await database.sql<[{ name: string }]>`
      select name from servers order by name limit 1`;
    await database.close();
    const limits = { RATE_LIMIT_PUBLIC: "1000000" };
    const site = await startSite({ dataDir, environment: { ...environment, ...limits } });
    await measurePages(site, row.name).finally(() => site.close());
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

const server = Deno.env.get("TEST_DATABASE_URL");
if (!server) await measureDatabase("embedded", {});
else {
  const { url, drop } = await createServerDatabase(server);
  await measureDatabase("PostgreSQL", { DATABASE_URL: url }).finally(drop);
}
