/**
 * Server time and weight of the front page and of a server's page, with 100,000 records. Prints
 * both for the pages and for the API's answers with the same content, and their ratio.
 *
 * `deno run -A tests/bench/web_pages.ts [records]`
 *
 * @module
 */
import { prepareDataDir } from "../helpers/database.ts";
import { startSite, withDatabase } from "../web/harness.ts";
import { seed } from "./seed.ts";

const RECORDS = Number(Deno.args[0] ?? 100_000);
const ROUNDS = 40;

const encoder = new TextEncoder();

function print(line: string): void {
  Deno.stdout.writeSync(encoder.encode(`${line}\n`));
}

async function measure(url: string): Promise<{ median: number; p95: number }> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS + 5; round++) {
    const from = performance.now();
    const response = await fetch(url, { headers: { accept: "text/html" } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
    // The first ones warm up.
    if (round >= 5) times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  return { median: times[ROUNDS / 2]!, p95: times[Math.floor(ROUNDS * 0.95)]! };
}

/** Bytes on the wire, compressed, of a page with all that it loads. */
async function weight(url: string): Promise<number> {
  const page = await (await fetch(url, { headers: { accept: "text/html" } })).text();
  const own = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  const texts = await Promise.all(
    [...new Set(own)].map(async (path) => await (await fetch(new URL(path, url))).text()),
  );
  let bytes = 0;
  for (const text of [page, ...texts]) {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
    bytes += (await new Response(stream).arrayBuffer()).byteLength;
  }
  return bytes;
}

const dataDir = await prepareDataDir();
print(`Seeding ${RECORDS} records`);
const name = await withDatabase(dataDir, async (sql) => {
  await seed(sql, RECORDS);
  const [row] = await sql<[{ name: string }]>`select name from servers order by name limit 1`;
  return row.name;
});
const site = await startSite({ dataDir, environment: { RATE_LIMIT_PUBLIC: "1000000" } });
try {
  const pages: [string, string, string][] = [
    ["front page", "/", "/api/v1/servers?sort=updated&limit=20"],
    ["search", "/?q=weather", "/api/v1/servers?q=weather&sort=relevance&limit=20"],
    ["server", `/servers/${name}`, `/api/v1/servers/${name}`],
    ["security", `/servers/${name}/security`, `/api/v1/servers/${name}`],
  ];
  for (const [what, path, api] of pages) {
    const page = await measure(site.url + path);
    const answer = await measure(site.url + api);
    const kilobytes = (await weight(site.url + path)) / 1000;
    print(
      `${what}: median ${page.median.toFixed(1)} ms, p95 ${page.p95.toFixed(1)} ms, ` +
        `${(page.median / answer.median).toFixed(2)} times the API's ${
          answer.median.toFixed(1)
        } ms; ${kilobytes.toFixed(0)} kB compressed`,
    );
  }
} finally {
  await site.close();
  await Deno.remove(dataDir, { recursive: true });
}
