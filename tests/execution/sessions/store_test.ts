import { assertEquals } from "@std/assert";
import type { Database } from "../../../src/database/open.ts";
import {
  type SessionRow,
  type SessionStore,
  sessionStore,
} from "../../../src/execution/sessions/store.ts";
import { describeDatabases } from "../../helpers/database.ts";

const NOON = new Date("2026-01-01T12:00:00Z");
const HOUR = 3_600_000;

function at(hours: number): Date {
  return new Date(NOON.getTime() + hours * HOUR);
}

function row(id: string, change: Partial<SessionRow> = {}): SessionRow {
  return { id, instance: crypto.randomUUID(), server: "weather", userId: null, ...change };
}

async function isKnown(store: SessionStore, id: string, now: Date): Promise<boolean> {
  return (await store.find(id, now))?.isRecent ?? false;
}

async function ids({ sql }: Database): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from execution_sessions order by id`;
  return rows.map(({ id }) => id);
}

describeDatabases((kind, open) => {
  Deno.test(`sessionStore() on ${kind} keeps a row for 24 hours after its session`, async () => {
    const database = await open();
    try {
      const store = sessionStore(database.sql);
      assertEquals(await isKnown(store, "s1", NOON), false);
      const first = row("s1", { userId: "ann" });
      await store.begin(first, NOON);
      assertEquals(await isKnown(store, "s1", NOON), true);
      assertEquals(await isKnown(store, "S1", NOON), false);
      await store.end(first, "idle", at(1));
      assertEquals(await isKnown(store, "s1", at(24.9)), true);
      assertEquals(await isKnown(store, "s1", at(25.1)), false);

      // A session whose process was killed counts from when it was last seen.
      const orphan = row("s2");
      await store.begin(orphan, NOON);
      await store.touch([orphan.instance, crypto.randomUUID()], at(10));
      assertEquals(await isKnown(store, "s2", at(33)), true);
      assertEquals(await isKnown(store, "s2", at(35)), false);
      await store.touch([], at(10));
    } finally {
      await database.close();
    }
  });

  Deno.test(`sessionStore() on ${kind} forgets only the session that it is told to`, async () => {
    const database = await open();
    try {
      const store = sessionStore(database.sql);
      const first = row("s1");
      const second = row("s1");
      await store.begin(first, NOON);
      await store.begin(second, NOON);
      await store.forget(first);
      assertEquals(await ids(database), ["s1"]);
      await store.forget(second);
      assertEquals(await ids(database), []);
    } finally {
      await database.close();
    }
  });

  Deno.test(`sessionStore() on ${kind} lets the end of an earlier session not end a later`, async () => {
    const database = await open();
    try {
      const store = sessionStore(database.sql);
      const first = row("s1");
      const second = row("s1", { server: "maps", userId: "ann" });
      await store.begin(first, NOON);
      await store.end(first, "deleted", NOON);
      await store.begin(second, at(1));
      await store.end(first, "idle", at(2));
      await store.touch([first.instance], at(9));
      const [found] = await database.sql`
        select server, user_id, ended_at, end_reason, seen_at from execution_sessions`;
      assertEquals({ ...found }, {
        server: "maps",
        user_id: "ann",
        ended_at: null,
        end_reason: null,
        seen_at: at(1),
      });
    } finally {
      await database.close();
    }
  });

  Deno.test(`sessionStore() on ${kind} prunes old rows, and the oldest dead ones first`, async () => {
    const database = await open();
    try {
      const store = sessionStore(database.sql);
      const live = row("live");
      await store.begin(live, at(-5));
      for (const [index, id] of ["old", "a", "b", "c", "d"].entries()) {
        const dead = row(id);
        await store.begin(dead, at(-30));
        await store.end(dead, "idle", id === "old" ? at(-25) : at(-4 + index * 0.1));
      }
      await store.prune(NOON, 100);
      assertEquals(await ids(database), ["a", "b", "c", "d", "live"]);
      await store.prune(NOON, 3);
      assertEquals(await ids(database), ["c", "d", "live"]);
    } finally {
      await database.close();
    }
  });
});
