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
import process from "node:process";
import type { Sql } from "../../src/database/client.ts";
import { createServerDatabase, silentLog } from "../helpers/database.ts";
import { processorMs } from "../helpers/processes.ts";

const LEASE_SECONDS = 10;
const BEATS_PER_LEASE = 5;
const MEASURED_MS = 5000;
const CONNECTIONS = 8;
const SIZES = [10, 100, 1000];

function print(...columns: (string | number)[]): void {
  const line = columns.map((column) => String(column).padStart(16)).join("");
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** Milliseconds of processor time that the database has used for its connections, and this process. */
async function used(sql: Sql): Promise<{ database: number; node: number }> {
  const backends = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database()`;
  const times = await Promise.all(backends.map(({ pid }) => processorMs(pid)));
  const { user, system } = process.cpuUsage();
  return { database: times.reduce((sum, ms) => sum + ms, 0), node: (user + system) / 1000 };
}

/** Milliseconds of processor time of a beat while `size` nodes have joined. */
async function measure(sql: Sql, url: string, size: number) {
  const connect = () => connectTo({ url, dataDir: "", log: silentLog, lists: false }, null);
  const ids = Array.from({ length: size }, () => crypto.randomUUID());
  const first = nodeStore(connect());
  for (const id of ids) {
    const joining = { id, url: "http://10.0.0.1:8001", publicKey: new Uint8Array(32) };
    await first.join({ ...joining, leaseMs: LEASE_SECONDS * 1000 }, null);
  }
  await first.close();
  const stores = Array.from({ length: CONNECTIONS }, () => nodeStore(connect()));
  for (const store of stores) await store.list();
  const before = await used(sql);
  let beats = 0;
  const until = performance.now() + MEASURED_MS;
  await Promise.all(stores.map(async (store, nth) => {
    for (let i = nth; performance.now() < until; i += CONNECTIONS) {
      await store.raiseBeat(ids[i % size]!);
      await store.list();
      beats++;
    }
  }));
  const after = await used(sql);
  for (const store of stores) await store.close();
  return {
    database: (after.database - before.database) / beats,
    node: (after.node - before.node) / beats,
  };
}

if (import.meta.main) {
  const own = await createServerDatabase(Deno.env.get("TEST_DATABASE_URL")!);
  try {
    const sql = connectTo({ url: own.url, dataDir: "", log: silentLog }, null);
    await migrate(sql);
    print("nodes", "beats/s", "rows/s", "database ms", "node ms", "database cores");
    for (const size of SIZES) {
      await sql`delete from nodes`;
      const { database, node } = await measure(sql, own.url, size);
      const perSecond = size * BEATS_PER_LEASE / LEASE_SECONDS;
      const cores = perSecond * database / 1000;
      print(
        ...[size, perSecond, perSecond * size],
        ...[database, node, cores].map((figure) => figure.toFixed(2)),
      );
    }
    await sql.end();
  } finally {
    await own.drop();
  }
}
