import { assertEquals } from "@std/assert";
import { createAttempts } from "../../src/limits/attempts.ts";
import { removeIdleWindows } from "../../src/limits/window.ts";
import { describeDatabases } from "../helpers/database.ts";

const RULE = { max: 3, windowSeconds: 60 };
const START = Date.UTC(2026, 0, 1);

describeDatabases((kind, open) => {
  Deno.test(`attempts slide with their window, on all nodes together (${kind})`, async () => {
    const database = await open();
    let time = START;
    const nodes = [0, 1].map(() => createAttempts(database.sql, () => new Date(time)));
    async function take(node: number, seconds: number, key = "sign-in ada@example.com") {
      time = START + seconds * 1000;
      const { allowed, retryAfterSeconds } = await nodes[node]!.take(key, RULE);
      return [allowed, retryAfterSeconds];
    }
    try {
      assertEquals(await take(0, 0), [true, 0]);
      assertEquals(await take(1, 10), [true, 0]);
      assertEquals(await take(0, 20), [true, 0]);
      assertEquals(await take(1, 30), [false, 30]);
      assertEquals(await take(0, 30, "sign-in bob@example.com"), [true, 0]);
      // What was refused has not moved the end of the wait.
      assertEquals(await take(0, 59.5), [false, 1]);
      assertEquals(await take(1, 60), [true, 0]);
      assertEquals(await take(1, 60), [false, 10]);
    } finally {
      await database.close();
    }
  });

  Deno.test(`attempts at once are counted one by one (${kind})`, async () => {
    const database = await open();
    // The database's own clock.
    const attempts = createAttempts(database.sql);
    try {
      const taken = await Promise.all(
        Array.from({ length: 20 }, () => attempts.take("token 192.0.2.1", RULE)),
      );
      assertEquals(taken.filter(({ allowed }) => allowed).length, RULE.max);
    } finally {
      await database.close();
    }
  });

  Deno.test(`clear() forgets a key's windows, of every length, and no other's (${kind})`, async () => {
    const database = await open();
    const attempts = createAttempts(database.sql, () => new Date(START));
    const one = { max: 1, windowSeconds: 60 };
    const day = { max: 1, windowSeconds: 86_400 };
    const allowed = async (key: string, rule: typeof one) =>
      (await attempts.take(key, rule)).allowed;
    try {
      for (const key of ["a", "b"]) {
        assertEquals([await allowed(key, one), await allowed(key, day)], [true, true]);
      }
      await attempts.clear("a");
      assertEquals([await allowed("a", one), await allowed("a", day)], [true, true]);
      assertEquals([await allowed("b", one), await allowed("b", day)], [false, false]);
    } finally {
      await database.close();
    }
  });

  Deno.test(`keys cannot be read in the database, and idle ones are removed (${kind})`, async () => {
    const database = await open();
    const { sql } = database;
    let time = START;
    const now = () => new Date(time);
    const attempts = createAttempts(sql, now);
    async function rows() {
      const [row] = await sql`
        select (select count(*)::int from rate_windows) as windows,
          (select count(*)::int from rate_hits) as hits`;
      return [row!["windows"], row!["hits"]];
    }
    try {
      await attempts.take("ada@example.com", RULE);
      const kept = await sql`select encode(key, 'escape') as key from rate_windows`;
      assertEquals(kept.length, 1);
      assertEquals((kept[0]!["key"] as string).includes("ada"), false);
      time += 59_000;
      await attempts.take("bob@example.com", RULE);
      await removeIdleWindows({ sql, now });
      assertEquals(await rows(), [2, 2]);
      time += 1_000;
      await removeIdleWindows({ sql, now });
      assertEquals(await rows(), [1, 1]);
      time += 59_000;
      await removeIdleWindows({ sql, now });
      assertEquals(await rows(), [0, 0]);
    } finally {
      await database.close();
    }
  });
});
