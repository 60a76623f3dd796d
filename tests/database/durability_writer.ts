/**
 * Writes rows one after the other into the embedded database of the folder in the first argument
 * and prints each number once its commit has returned. Run by `durability_test.ts`, which kills it.
 */
import { openDatabase } from "../../src/database/open.ts";
import { silentLog } from "../helpers/database.ts";

const encoder = new TextEncoder();

function print(line: string) {
  Deno.stdout.writeSync(encoder.encode(`${line}\n`));
}

const { sql } = await openDatabase({ dataDir: Deno.args[0]!, log: silentLog });
await sql`create table if not exists entries (n int primary key, half text not null)`;
await sql`create table if not exists halves (n int primary key, half text not null)`;
const [state] = await sql<[{ entries: number; halves: number; newest: number }]>`
  select (select count(*) from entries)::int as entries,
    (select count(*) from halves)::int as halves,
    (select coalesce(max(n), 0) from entries)::int as newest`;
print(JSON.stringify(state));
for (let n = state.newest + 1;; n++) {
  await sql.begin(async (tx) => {
    await tx`insert into entries values (${n}, ${"a".repeat(2000)})`;
    await tx`insert into halves values (${n}, ${"b".repeat(2000)})`;
  });
  print(String(n));
}
