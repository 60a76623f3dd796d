import { assertEquals } from "@std/assert";
import { type Figures, noFigures, risen } from "../../src/figures/figures.ts";
import {
  addFigures,
  readFigures,
  readUsers,
  removeOldFigures,
  SPANS,
} from "../../src/figures/store.ts";
import { startGathering } from "../../src/figures/gather.ts";
import { describeDatabases, silentLog } from "../helpers/database.ts";
import { recordingLogger } from "../helpers/log.ts";

const NOW = new Date("2026-03-10T12:34:56.789Z");
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function figures(more: Partial<Figures>): Figures {
  return { ...noFigures(), ...more };
}

function before(ms: number): Date {
  return new Date(NOW.getTime() - ms);
}

Deno.test("counts rise from what they were, and never fall; amounts stay", () => {
  const now = figures({ sessions: 2, calls: 7, starts: 1 });
  const then = figures({ sessions: 9, calls: 4, starts: 3 });
  assertEquals(risen(now, then), figures({ sessions: 2, calls: 3 }));
});

describeDatabases((kind, open) => {
  Deno.test(`figures of nodes add up, and of amounts the highest counts, on ${kind}`, async () => {
    const database = await open();
    const { sql } = database;
    const add = (node: string, now: Date, more: Partial<Figures>) =>
      addFigures(sql, { node, now, figures: figures(more) });
    try {
      await add("a", NOW, { sessions: 3, calls: 10, call_ms: 12.5, main_bytes: 2 ** 40 });
      await add("a", new Date(NOW.getTime() + 1000), { sessions: 1, calls: 5, call_ms: 1 });
      await add("b", NOW, { sessions: 4, calls: 1 });
      await add("b", before(2 * MINUTE_MS), { calls: 100 });
      const hour = await readFigures(sql, SPANS.hour, new Date(NOW.getTime() + 2000));
      assertEquals(hour.length, 60);
      assertEquals(hour.at(-1), {
        from: new Date("2026-03-10T12:34:00Z"),
        figures: figures({ sessions: 7, calls: 16, call_ms: 13.5, main_bytes: 2 ** 40 }),
      });
      assertEquals(hour.at(-2)?.figures, null);
      assertEquals(hour.at(-3)?.figures?.calls, 100);
      for (const span of [SPANS.day, SPANS.week, SPANS.quarter]) {
        const parts = await readFigures(sql, span, NOW);
        assertEquals(parts.length, span.parts);
        assertEquals(parts.at(-1)?.figures?.calls, 116);
        assertEquals(parts.at(-1)?.figures?.sessions, 7);
        assertEquals(parts.filter((part) => part.figures !== null).length, 1);
      }
    } finally {
      await database.close();
    }
  });

  Deno.test(`a node has a bounded number of rows, on ${kind}`, async () => {
    const database = await open();
    const { sql } = database;
    try {
      for (const days of [0, 1, 2, 30, 91, 93, 500]) {
        await addFigures(sql, { node: "a", now: before(days * DAY_MS), figures: noFigures() });
      }
      await removeOldFigures(sql, NOW);
      const kept = await sql<{ step: string; rows: number }[]>`
        select step, count(*)::int as rows from node_figures group by step order by step`;
      assertEquals(kept.map(({ step, rows }) => [step, rows]), [["hour", 5], ["minute", 2]]);
    } finally {
      await database.close();
    }
  });

  Deno.test(`users are counted from when they joined, on ${kind}`, async () => {
    const database = await open();
    const { sql } = database;
    try {
      const joined = [before(400 * DAY_MS), before(3 * DAY_MS), before(3 * DAY_MS), NOW];
      for (const [n, at] of joined.entries()) {
        await sql`
          insert into users (subject, username, created_at)
          values (${`s${n}`}, ${`user${n}`}, ${at})`;
      }
      const users = await readUsers(sql, SPANS.quarter, NOW);
      assertEquals(users.length, 90);
      assertEquals(users.slice(-5), [1, 3, 3, 3, 4]);
      assertEquals(users[0], 1);
    } finally {
      await database.close();
    }
  });

  Deno.test(`gathering keeps what came since the last time, on ${kind}`, async () => {
    const database = await open();
    const { sql } = database;
    let calls = 10;
    const gathering = startGathering({
      sql,
      log: silentLog,
      now: () => NOW,
      node: "n".repeat(100),
      read: () => Promise.resolve(figures({ calls, sessions: 1 })),
    });
    try {
      await gathering.gather();
      calls = 14;
      await gathering.close();
      const rows = await sql<{ node: string; calls: number }[]>`
        select node, calls::int as calls from node_figures`;
      assertEquals(rows.map(({ node, calls }) => [node.length, calls]), [[100, 14], [100, 14]]);
    } finally {
      await database.close();
    }
  });
});

Deno.test("figures that cannot be read are a gap and a line in the log", async () => {
  const { log, lines } = recordingLogger();
  const gathering = startGathering({
    sql: null as never,
    log,
    now: () => NOW,
    node: "a",
    read: () => Promise.reject(new Error("no")),
  });
  await gathering.close();
  assertEquals(lines.map(({ event, msg, message }) => event ?? msg ?? message), [
    "figures.not_kept",
  ]);
});
