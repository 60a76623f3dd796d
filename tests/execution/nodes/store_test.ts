import { assertEquals } from "@std/assert";
import type { Sql } from "../../../src/database/client.ts";
import { nodeStore } from "../../../src/execution/nodes/store.ts";
import { parkedStore, type StoredRow } from "../../../src/execution/parked/store.ts";
import { type SessionRow, sessionStore } from "../../../src/execution/sessions/store.ts";
import { describeNodes } from "../../helpers/nodes.ts";

const NOON = new Date("2026-01-01T12:00:00Z");

/** A node that has joined. */
async function joined(sql: Sql): Promise<string> {
  const id = crypto.randomUUID();
  const publicKey = new Uint8Array(32);
  await nodeStore(sql).join({ id, url: `http://${id}.test`, publicKey, leaseMs: 10_000 }, null);
  return id;
}

function row(id = "s1"): SessionRow {
  return { id, instance: crypto.randomUUID(), server: "weather", userId: null };
}

describeNodes((kind, open) => {
  Deno.test(`of nodes that begin one session at once, one holds it (${kind})`, async () => {
    const { nodes: [a, b], close } = await open();
    try {
      const nodes = [await joined(a), await joined(b)] as const;
      for (let turn = 0; turn < 20; turn++) {
        const rows = [0, 1, 2, 3].map(() => row(`s${turn}`));
        const taken = await Promise.all(
          rows.map((one, i) =>
            sessionStore(i % 2 ? b : a).acquire(one, NOON, { node: nodes[i % 2]!, seen: null })
          ),
        );
        assertEquals(taken.filter((each) => each).length, 1);
        const winner = taken.indexOf(true);
        const found = await sessionStore(a).find(`s${turn}`, NOON);
        assertEquals(found?.instance, rows[winner]!.instance);
        assertEquals(found?.owner?.id, nodes[winner % 2]);
      }
    } finally {
      await close();
    }
  });

  Deno.test(`a session is taken over once its node is gone, by one node (${kind})`, async () => {
    const { nodes: [a, b], close } = await open();
    try {
      const [first, second] = [await joined(a), await joined(b)];
      const [mine, theirs] = [sessionStore(a), sessionStore(b)];
      const begun = row();
      assertEquals(await mine.acquire(begun, NOON, { node: first, seen: null }), true);
      assertEquals((await theirs.find("s1", NOON))?.owner?.url, `http://${first}.test`);
      assertEquals(await theirs.acquire(row(), NOON, { node: second, seen: null }), false);
      await nodeStore(a).leave(first);
      const seen = (await theirs.find("s1", NOON))!;
      assertEquals(seen, { instance: begun.instance, isRecent: true, owner: null });
      const takes = [row(), row()];
      const taken = await Promise.all(
        takes.map((one) => theirs.acquire(one, NOON, { node: second, seen: seen.instance })),
      );
      assertEquals(taken.filter((each) => each).length, 1);
      const now = takes[taken.indexOf(true)]!.instance;
      // What the lost node still writes is of the past.
      await mine.end(begun, "shutdown", NOON);
      await mine.forget(begun);
      assertEquals(await mine.acquire(row(), NOON, { node: first, seen: now }), false);
      const after = await theirs.find("s1", NOON);
      assertEquals([after?.instance, after?.owner?.id], [now, second]);
    } finally {
      await close();
    }
  });

  Deno.test(`a stored session is held by nobody, and by the node that takes it (${kind})`, async () => {
    const { nodes: [a, b], close } = await open();
    try {
      const [first, second] = [await joined(a), await joined(b)];
      const store = parkedStore(a, 1000);
      const stored: StoredRow = {
        ...row(),
        archiveSha256: "a".repeat(64),
        client: "user ann",
        runtime: "runtime",
        image: null,
        keyId: "key",
        expiresAt: new Date(NOON.getTime() + 1000),
      };
      await sessionStore(a).acquire(stored, NOON, { node: first, seen: null });
      await store.put(stored, new Uint8Array(10), { maxBytes: 1000, maxClientBytes: 1000 });
      assertEquals((await sessionStore(b).find("s1", NOON))?.owner, null);
      const gone = { instance: crypto.randomUUID(), node: crypto.randomUUID() };
      assertEquals((await store.take(stored, gone, NOON)).kind, "gone");
      const taker = { instance: crypto.randomUUID(), node: second };
      assertEquals((await parkedStore(b, 1000).take(stored, taker, NOON)).kind, "taken");
      const found = await sessionStore(a).find("s1", NOON);
      assertEquals([found?.instance, found?.owner?.id], [taker.instance, second]);
    } finally {
      await close();
    }
  });

  Deno.test(`a node that has moved on is not removed (${kind})`, async () => {
    const { nodes: [sql], close } = await open();
    try {
      const id = await joined(sql);
      assertEquals(await nodeStore(sql).removeLost({ id, beat: 1 }), false);
      assertEquals(await nodeStore(sql).removeLost({ id, beat: 0 }), true);
    } finally {
      await close();
    }
  });
});
