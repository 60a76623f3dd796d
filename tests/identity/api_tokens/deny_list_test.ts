import { assert, assertEquals } from "@std/assert";
import { createToken } from "../../../src/identity/api_tokens/create.ts";
import { startDenyList } from "../../../src/identity/api_tokens/deny_list.ts";
import { revokeToken } from "../../../src/identity/api_tokens/revoke.ts";
import {
  denyToken,
  denyUser,
  removeDenied,
  REVOKED_CHANNEL,
} from "../../../src/identity/api_tokens/denied_store.ts";
import { openDatabase } from "../../../src/database/open.ts";
import {
  createServerDatabase,
  describeDatabases,
  openTestDatabase,
  silentLog,
} from "../../helpers/database.ts";
import { recordingLogger } from "../../helpers/log.ts";
import { openBench } from "./harness.ts";

const CONTEXT = { requestId: "request-1" };
const DIGEST = "d".repeat(64);

function token(digest: string, more: { subject?: string; issuedAt?: Date } = {}) {
  return { digest, subject: "ada", issuedAt: new Date(), ...more };
}

function notice(more: Record<string, unknown>): string {
  const expiresAt = new Date(Date.now() + 3_600_000);
  return JSON.stringify({ kind: "token", digest: DIGEST, expiresAt, ...more });
}

const OTHERS = [
  ...["", "x", "{}", "null", "'; drop table", "{".repeat(5000)],
  ...[{ digest: DIGEST.slice(1) }, { expiresAt: "never" }, { kind: "all" }].map(notice),
  ...[{ kind: "user", subject: "" }, { kind: "user", subject: "ada" }].map(notice),
];

/** Milliseconds until `holds`; fails after `limit`, which is wide as machines may be busy. */
async function timeUntil(holds: () => boolean, limit = 120_000): Promise<number> {
  const start = performance.now();
  while (!holds()) {
    assert(performance.now() - start < limit, `Expected within ${limit} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return performance.now() - start;
}

describeDatabases((kind, open) => {
  const ways = { notifications: { pollMs: 3_600_000 }, questions: { listen: false } };
  for (const [way, options] of Object.entries(ways)) {
    Deno.test(`a revoked token is refused on every node within a second, by ${way} (${kind})`, async () => {
      await using bench = await openBench(await open());
      await using here = await bench.startNode();
      await using there = await bench.startNode({ alone: false, ...options });
      for (let round = 0; round < 3; round++) {
        const mine = await bench.issuer.mint({ sub: "ada" }, { now: bench.clock.time });
        const caller = await here.check(mine);
        const input = { name: "a", expires_in: 600 };
        const { token: made, accessToken } = await createToken(here.deps, caller, input, CONTEXT);
        const { tokenDigest } = await there.check(accessToken);
        await revokeToken(here.deps, caller, made.id, CONTEXT);
        assert(here.denied.isRevoked(token(tokenDigest)));
        await timeUntil(() => there.denied.isRevoked(token(tokenDigest)));
      }
    });
  }

  Deno.test(`startDenyList() knows what was revoked before its start (${kind})`, async () => {
    await using bench = await openBench(await open());
    await denyToken(bench.database.sql, DIGEST, new Date(bench.clock.time.getTime() + 60_000));
    await using node = await bench.startNode();
    assertEquals([
      node.denied.isRevoked(token(DIGEST)),
      node.denied.isRevoked(token("e".repeat(64))),
    ], [true, false]);
  });

  Deno.test(`a user's tokens up to a time are refused on every node (${kind})`, async () => {
    await using bench = await openBench(await open());
    const { sql } = bench.database;
    const at = (seconds: number) => new Date(bench.clock.time.getTime() + seconds * 1000);
    await denyUser(sql, "bob", at(0));
    await using listening = await bench.startNode({ alone: false, pollMs: 3_600_000 });
    await using asking = await bench.startNode({ alone: false, listen: false });
    await denyUser(sql, "ada", at(10.7));
    // An earlier time does not take back a later one.
    await denyUser(sql, "ada", at(3));
    for (const { denied } of [listening, asking]) {
      const isRevoked = (subject: string, seconds: number) =>
        denied.isRevoked(token(DIGEST, { subject, issuedAt: at(seconds) }));
      await timeUntil(() => isRevoked("ada", 9));
      assertEquals([9, 10, 11].map((seconds) => isRevoked("ada", seconds)), [true, false, false]);
      assertEquals([isRevoked("bob", -1), isRevoked("bob", 0)], [true, false]);
      assertEquals(isRevoked("carol", -9), false);
    }
    await removeDenied(sql, at(3600));
    assertEquals((await sql`select 1 from revoked_users`).length, 2);
    await removeDenied(sql, at(2 * 3600));
    assertEquals((await sql`select 1 from revoked_users`).length, 0);
  });

  Deno.test(`startDenyList() does not look at notices that are not its own (${kind})`, async () => {
    const database = await open();
    const { sql } = database;
    const options = { sql, log: silentLog, now: () => new Date(), alone: false };
    const list = await startDenyList({ ...options, pollMs: 3_600_000 });
    for (const payload of OTHERS) {
      await sql.notify(REVOKED_CHANNEL, payload);
    }
    const last = "e".repeat(64);
    await sql.notify(REVOKED_CHANNEL, notice({ digest: last }));
    await timeUntil(() => list.isRevoked(token(last)));
    assertEquals(list.size, 1);
    await list.close();
    await database.close();
  });
});

Deno.test("startDenyList() says once that the database is away, and catches up", async () => {
  const database = await openTestDatabase();
  const { log, lines } = recordingLogger();
  const { sql } = database;
  const options = { sql, log, now: () => new Date(), alone: false, listen: false, pollMs: 10 };
  const list = await startDenyList(options);
  await sql`alter table revoked_tokens rename to hidden`;
  await timeUntil(() => lines.length > 0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await sql`alter table hidden rename to revoked_tokens`;
  await denyToken(sql, DIGEST, new Date(Date.now() + 3_600_000));
  await timeUntil(() => list.isRevoked(token(DIGEST)));
  assertEquals(lines.map((line) => line["event"]), ["tokens.revoked_not_read"]);
  await list.close();
  await database.close();
});

const SERVER = Deno.env.get("TEST_DATABASE_URL");

Deno.test({
  name: "startDenyList() hears again after its connection was cut",
  ignore: SERVER === undefined,
  async fn() {
    const { url, drop } = await createServerDatabase(SERVER!);
    const database = await openDatabase({ url, dataDir: "", log: silentLog });
    const { sql } = database;
    const now = () => new Date();
    const list = await startDenyList({ sql, log: silentLog, now, alone: false, pollMs: 3_600_000 });
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`;
    await denyToken(sql, DIGEST, new Date(Date.now() + 3_600_000));
    await timeUntil(() => list.isRevoked(token(DIGEST)));
    await list.close();
    await database.close();
    await drop();
  },
});
