import { assertEquals, assertRejects } from "@std/assert";
import { gatherHits, type Hit } from "../../src/limits/gathered_hits.ts";
import { describeDatabases } from "../helpers/database.ts";
import { observed } from "../helpers/observed_sql.ts";

function hitOf(key: string, max = 5): Hit {
  return { key, max, subject: null };
}

describeDatabases((kind, open) => {
  Deno.test(`requests that come together are counted together, the first let through (${kind})`, async () => {
    const database = await open();
    const { sql, asked } = observed(database.sql);
    const count = gatherHits({ sql }, 3600);
    try {
      const hits = Array.from({ length: 8 }, () => count(hitOf("ada")));
      const others = Array.from({ length: 200 }, (_, n) => count(hitOf(`other ${n}`)));
      const taken = (await Promise.all(hits)).map(({ taken }) => [taken.allowed, taken.remaining]);
      const one = (left: number) => [true, left];
      assertEquals(taken, [
        ...[4, 3, 2, 1, 0].map(one),
        ...Array.from({ length: 3 }, () => [false, 0]),
      ]);
      for (const { taken } of await Promise.all(others)) {
        assertEquals([taken.allowed, taken.remaining], [true, 4]);
      }
      // The first by itself, then all that waited, 64 windows at once.
      assertEquals(asked.length, 1 + 4);
    } finally {
      await database.close();
    }
  });

  Deno.test(`nodes that count the same windows in another order do not wait for each other (${kind})`, async () => {
    const database = await open();
    const nodes = [0, 1].map(() => gatherHits({ sql: database.sql }, 3600));
    try {
      const keys = Array.from({ length: 20 }, (_, n) => `key ${n}`);
      for (let round = 0; round < 10; round++) {
        await Promise.all([
          ...keys.map((key) => nodes[0]!(hitOf(key, 1000))),
          ...keys.toReversed().map((key) => nodes[1]!(hitOf(key, 1000))),
        ]);
      }
      const { taken } = await nodes[0]!(hitOf("key 7", 1000));
      assertEquals(taken.remaining, 1000 - 21);
    } finally {
      await database.close();
    }
  });

  Deno.test(`a statement that fails fails its requests, and no later one (${kind})`, async () => {
    const database = await open();
    const count = gatherHits({ sql: database.sql }, 3600);
    const beyond = { key: "bob", max: 2 ** 40, subject: null };
    try {
      const first = count(hitOf("ada"));
      const together = [count(beyond), count(hitOf("ada"))];
      assertEquals((await first).taken.remaining, 4);
      for (const one of together) await assertRejects(() => one);
      assertEquals((await count(hitOf("ada"))).taken.remaining, 3);
    } finally {
      await database.close();
    }
  });
});
