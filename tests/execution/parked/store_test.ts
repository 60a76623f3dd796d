import { assertEquals, assertRejects } from "@std/assert";
import { parkedStore, type StoredRow } from "../../../src/execution/parked/store.ts";
import { type SessionRow, sessionStore } from "../../../src/execution/sessions/store.ts";
import type { Sql } from "../../../src/database/client.ts";
import { describeNodes } from "../../helpers/nodes.ts";

const MB = 2 ** 20;
const NOON = new Date("2026-01-01T12:00:00Z");
const LATER = new Date("2026-01-01T12:30:00Z");
const ROOM = { maxBytes: 10 * MB, maxClientBytes: 5 * MB };

function row(id: string, change: Partial<StoredRow> = {}): StoredRow {
  return {
    id,
    instance: crypto.randomUUID(),
    server: "weather",
    archiveSha256: "a".repeat(64),
    userId: "ann",
    client: "user ann",
    runtime: "runtime",
    image: null,
    keyId: "key",
    expiresAt: LATER,
    ...change,
  };
}

/** Who takes where nodes do not share sessions. */
function taker(instance: string = crypto.randomUUID()) {
  return { instance, node: null };
}

/** Bytes that differ from page to page. */
function bytesOf(length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(length).map((_, at) => (at * 31 + (at >>> 12)) & 255);
}

/** A session that lives, and its row. */
async function begun(sql: Sql, id: string, change: Partial<StoredRow> = {}): Promise<StoredRow> {
  const stored = row(id, change);
  const session: SessionRow = { ...stored };
  await sessionStore(sql).begin(session, NOON);
  return stored;
}

async function partsIn(sql: Sql): Promise<number> {
  const [found] = await sql<[{ count: number }]>`
    select count(*)::int as count from parked_session_parts`;
  return found.count;
}

describeNodes((kind, open) => {
  Deno.test(`a stored session is taken once, with the bytes that were stored (${kind})`, async () => {
    const { nodes: [a, b], close } = await open();
    try {
      const [first, second] = [parkedStore(a, 20 * MB), parkedStore(b, 20 * MB)];
      for (const size of [1, MB, 2 * MB + 17]) {
        const stored = await begun(a, `s-${size}`);
        assertEquals(await first.put(stored, bytesOf(size), ROOM), "stored");
        assertEquals(await second.find(stored.id, NOON), stored);
        assertEquals(await second.find(stored.id.toUpperCase(), NOON), null);
        assertEquals(await second.find(stored.id, LATER), null);
        const takes = await Promise.all(
          [first, second, first, second].map((store) => store.take(stored, taker(), NOON)),
        );
        const taken = takes.filter((each) => each.kind === "taken");
        assertEquals(taken.length, 1);
        assertEquals(taken[0]?.kind === "taken" && taken[0].sealed, bytesOf(size));
        assertEquals([await second.find(stored.id, NOON), await partsIn(a)], [null, 0]);
      }
    } finally {
      await close();
    }
  });

  Deno.test(`rows of the past are neither stored nor taken (${kind})`, async () => {
    const { nodes: [sql], close } = await open();
    try {
      const store = parkedStore(sql, 20 * MB);
      const sessions = sessionStore(sql);
      const stored = await begun(sql, "s1");
      await store.put(stored, bytesOf(10), ROOM);
      const next = crypto.randomUUID();
      assertEquals((await store.take(stored, taker(next), NOON)).kind, "taken");
      // The session is another's now.
      assertEquals(await store.put(stored, bytesOf(10), ROOM), "superseded");
      assertEquals(await store.put({ ...stored, instance: next }, bytesOf(10), ROOM), "stored");
      // As a copy of the table would have it.
      await sql`update parked_sessions set instance = ${stored.instance}`;
      assertEquals((await store.take(stored, taker(), NOON)).kind, "gone");

      const ended = await begun(sql, "s2");
      await store.put(ended, bytesOf(10), ROOM);
      await sessions.end({ ...ended }, "deleted", NOON);
      assertEquals((await store.take(ended, taker(next), NOON)).kind, "gone");
      assertEquals(await store.put(ended, bytesOf(10), ROOM), "superseded");

      const expired = await begun(sql, "s3");
      await store.put(expired, bytesOf(10), ROOM);
      assertEquals((await store.take(expired, taker(next), LATER)).kind, "gone");
    } finally {
      await close();
    }
  });

  Deno.test(`the store is bounded, in all and for each client (${kind})`, async () => {
    const { nodes: [sql], close } = await open();
    try {
      const store = parkedStore(sql, 20 * MB);
      const bounds = { maxBytes: 1000, maxClientBytes: 500 };
      const put = async (id: string, client: string, size: number) =>
        await store.put(await begun(sql, id, { client }), bytesOf(size), bounds);
      assertEquals(await put("s1", "user ann", 400), "stored");
      assertEquals(await put("s2", "user ann", 101), "full");
      assertEquals(await put("s3", "user bob", 500), "stored");
      assertEquals(await put("s4", "user eve", 101), "full");
      assertEquals(await put("s5", "user eve", 100), "stored");
      // A session that comes again takes its own place.
      assertEquals(await put("s1", "user ann", 350), "stored");
    } finally {
      await close();
    }
  });

  Deno.test(`a row that is larger than any session is not read (${kind})`, async () => {
    const { nodes: [sql], close } = await open();
    try {
      const store = parkedStore(sql, 2 * MB);
      const stored = await begun(sql, "s1");
      await store.put(stored, bytesOf(100), ROOM);
      await sql`update parked_sessions set size = ${1e15}`;
      assertEquals((await store.take(stored, taker(), NOON)).kind, "gone");
      assertEquals(await store.find("s1", NOON), null);

      // Nor is a part that is larger than parts are, or one that is not there.
      const other = await begun(sql, "s2");
      await store.put(other, bytesOf(MB + 10), ROOM);
      await sql`update parked_session_parts set bytes = ${bytesOf(3 * MB)} where part = 0`;
      await sql`delete from parked_session_parts where part = 1`;
      const taken = await store.take(other, taker(), NOON);
      assertEquals(taken.kind === "taken" && taken.sealed.length, MB + 10);
    } finally {
      await close();
    }
  });

  Deno.test(`rows go with their session, server and archive, and when they expire (${kind})`, async () => {
    const { nodes: [sql], close } = await open();
    try {
      const store = parkedStore(sql, 20 * MB);
      const ids = async () =>
        (await sql<{ id: string }[]>`select id from parked_sessions order by id`).map((r) => r.id);
      const old = await begun(sql, "old", { archiveSha256: "b".repeat(64) });
      const rows = [old, await begun(sql, "new"), await begun(sql, "other", { server: "other" })];
      for (const each of rows) await store.put(each, bytesOf(10), ROOM);
      await store.dropServer("weather", "a".repeat(64));
      assertEquals(await ids(), ["new", "other"]);
      await store.drop({ id: "new", instance: crypto.randomUUID() });
      assertEquals(await ids(), ["new", "other"]);
      await store.dropServer("weather", null);
      assertEquals(await ids(), ["other"]);
      // Its server is not registered.
      await store.prune(NOON);
      assertEquals([await ids(), await partsIn(sql)], [[], 0]);
    } finally {
      await close();
    }
  });

  Deno.test(`a database that is away is an error, and nothing is half stored (${kind})`, async () => {
    const { nodes: [sql], close } = await open();
    const store = parkedStore(sql, 20 * MB);
    const stored = await begun(sql, "s1");
    await sql`alter table parked_session_parts add constraint small check (octet_length(bytes) < 100)`;
    await assertRejects(() => store.put(stored, bytesOf(MB), ROOM));
    assertEquals(await store.find("s1", NOON), null);
    await close();
  });
});
