/**
 * What many nodes cost their database: the beats by which they hold their sessions, of 10, 100 and
 * 1,000 nodes (`docs/scale.md`). Needs `TEST_DATABASE_URL`. Lists of many servers are measured by
 * `BENCH_RECORDS=1000000 deno task bench list_bench`.
 *
 * @module
 */
import { connectTo } from "../../src/database/client.ts";
import { migrate } from "../../src/database/migrate.ts";
import { nodeStore } from "../../src/execution/nodes/store.ts";
import { createServerDatabase, silentLog } from "../helpers/database.ts";

const LEASE_SECONDS = 10;
const BEATS_PER_LEASE = 5;
const MEASURED_MS = 5000;
const CONNECTIONS = 8;
const SIZES = [10, 100, 1000];

function print(...columns: (string | number)[]): void {
  const line = columns.map((column) => String(column).padStart(16)).join("");
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** How many beats a second the database bears, when `size` nodes have joined, and each one's time. */
async function measure(url: string, size: number) {
  const connect = () => connectTo({ url, dataDir: "", log: silentLog, lists: false }, null);
  const ids = Array.from({ length: size }, () => crypto.randomUUID());
  const first = nodeStore(connect());
  for (const id of ids) {
    const joining = { id, url: "http://10.0.0.1:8001", publicKey: new Uint8Array(32) };
    await first.join({ ...joining, leaseMs: LEASE_SECONDS * 1000 }, null);
  }
  await first.close();
  const until = performance.now() + MEASURED_MS;
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, nth) => {
      const store = nodeStore(connect());
      for (let i = nth; performance.now() < until; i += CONNECTIONS) {
        const begun = performance.now();
        await store.raiseBeat(ids[i % size]!);
        await store.list();
        times.push(performance.now() - begun);
      }
      await store.close();
    }),
  );
  times.sort((a, b) => a - b);
  return { perSecond: times.length * 1000 / MEASURED_MS, median: times[times.length >> 1]! };
}

if (import.meta.main) {
  const database = await createServerDatabase(Deno.env.get("TEST_DATABASE_URL")!);
  try {
    const sql = connectTo({ url: database.url, dataDir: "", log: silentLog }, null);
    await migrate(sql);
    print("nodes", "beats/s needed", "beats/s possible", "median ms", "rows read/s");
    for (const size of SIZES) {
      await sql`delete from nodes`;
      const { perSecond, median } = await measure(database.url, size);
      const needed = size * BEATS_PER_LEASE / LEASE_SECONDS;
      print(size, needed, Math.round(perSecond), median.toFixed(1), needed * size);
    }
    await sql.end();
  } finally {
    await database.drop();
  }
}
