import { assert, assertEquals } from "@std/assert";
import { type Refusal, Refusals } from "../../src/audit/refusals.ts";
import type { Sql } from "../../src/database/client.ts";
import { openTestDatabase } from "../helpers/database.ts";
import { recordingLogger } from "../helpers/log.ts";

interface Bench {
  sql: Sql;
  refusals: Refusals;
  clock: { time: Date };
  lines: Record<string, unknown>[];
}

async function withRefusals(body: (bench: Bench) => Promise<void>): Promise<void> {
  const database = await openTestDatabase();
  const { log, lines } = recordingLogger();
  const clock = { time: new Date("2026-05-01T12:00:00Z") };
  const { sql } = database;
  const refusals = new Refusals({
    sql,
    log,
    now: () => new Date(clock.time),
    elapsed: () => clock.time.getTime(),
  });
  try {
    await body({ sql, refusals, clock, lines });
  } finally {
    await refusals.close();
    await database.close();
  }
}

function refused(more: Partial<Refusal> = {}): Refusal {
  return {
    action: "egress.refuse",
    actor: null,
    subject: "weather",
    requestId: "request-1",
    details: {},
    ...more,
  };
}

async function entriesOf(sql: Sql) {
  const rows = await sql`select actor, subject, details from audit_log order by id`;
  return rows.map(({ actor, subject, details }) => [actor, subject, details]);
}

Deno.test("Refusals writes each kind of the same action and subject", async () => {
  await withRefusals(async ({ sql, refusals, clock }) => {
    for (const kind of ["memory", "timeout", "memory"]) {
      refusals.note(refused({ action: "execution.kill", kind, details: { reason: kind } }));
    }
    clock.time = new Date(clock.time.getTime() + 3_600_000);
    await refusals.flush();
    assertEquals((await entriesOf(sql)).map(([, , details]) => details), [
      { reason: "memory" },
      { reason: "timeout" },
      { reason: "memory", repeated: 1 },
    ]);
  });
});

Deno.test("Refusals writes the first at once, and then how many there were", async () => {
  await withRefusals(async ({ sql, refusals, clock }) => {
    refusals.note(refused());
    await refusals.flush();
    assertEquals(await entriesOf(sql), [["anonymous", "weather", {}]]);
    for (let number = 0; number < 10_000; number++) refusals.note(refused());
    refusals.note(refused({ actor: "u-ada" }));
    await refusals.flush();
    assertEquals((await entriesOf(sql)).length, 2);
    clock.time = new Date(clock.time.getTime() + 3_600_000);
    await refusals.flush();
    assertEquals((await entriesOf(sql)).slice(2), [
      ["anonymous", "weather", { repeated: 10_000 }],
    ]);
    refusals.note(refused());
    await refusals.flush();
    assertEquals((await entriesOf(sql)).length, 4);
  });
});

Deno.test("Refusals is not filled by one subject, nor by many", async () => {
  await withRefusals(async ({ sql, refusals, lines }) => {
    for (let number = 0; number < 5000; number++) refusals.note(refused({ actor: `u-${number}` }));
    await refusals.flush();
    assertEquals((await entriesOf(sql)).length, 20);
    assertEquals(lines.map((line) => [line["event"], line["number"]]), [
      ["audit.refusals_dropped", 4980],
    ]);
    for (let number = 0; number < 3000; number++) refusals.note(refused({ subject: `s${number}` }));
    await refusals.flush();
    assertEquals((await entriesOf(sql)).length, 200);
    // Of another kind, so not kept out.
    refusals.note(refused({ action: "author.refuse", subject: "acme" }));
    await refusals.flush();
    assertEquals((await entriesOf(sql)).length, 201);
  });
});

Deno.test("Refusals bounds what strangers wrote, and takes any text", async () => {
  await withRefusals(async ({ sql, refusals, lines }) => {
    const texts = ["x".repeat(100_000), "a\0b", "\ud800", "😀".repeat(300)];
    for (const text of texts) refusals.note(refused({ subject: text, details: { text } }));
    await refusals.flush();
    assertEquals(lines, []);
    const entries = await entriesOf(sql);
    assertEquals(entries.length, texts.length);
    assert(JSON.stringify(entries).length < 4000);
  });
});

Deno.test("Refusals keeps working while the database is unavailable", async () => {
  await withRefusals(async ({ sql, refusals, lines }) => {
    await sql`alter table audit_log rename to hidden`;
    refusals.note(refused());
    await refusals.flush();
    assertEquals(lines.map((line) => line["event"]), ["audit.refusal_not_saved"]);
    await sql`alter table hidden rename to audit_log`;
    refusals.note(refused({ subject: "other" }));
    await refusals.flush();
    assertEquals((await entriesOf(sql)).length, 1);
  });
});

Deno.test("Refusals writes the first few targets of a kind, and counts all", async () => {
  await withRefusals(async ({ sql, refusals, clock }) => {
    for (let number = 0; number < 5000; number++) {
      refusals.note(refused({ target: `h${number % 50}.test:80`, details: { kind: "refused" } }));
    }
    await refusals.flush();
    const entries = await entriesOf(sql);
    assertEquals(entries.length, 8);
    assertEquals(entries[0]![2], { kind: "refused", target: "h0.test:80" });
    assertEquals(entries[7]![2], { kind: "refused", target: "h7.test:80", further: true });
    clock.time = new Date(clock.time.getTime() + 3_600_000);
    await refusals.flush();
    assertEquals((await entriesOf(sql)).at(-1)![2], { repeated: 4999 });
  });
});

Deno.test("Refusals says of which kind those were that it counted, and nothing else of the first", async () => {
  await withRefusals(async ({ sql, refusals, clock }) => {
    for (const way of ["elsewhere", "reflected", "elsewhere"]) {
      const details = { way, variable: "API_KEY" };
      refusals.note(refused({ action: "keys.refuse", kind: way, target: "a.test:443", details }));
    }
    clock.time = new Date(clock.time.getTime() + 3_600_000);
    await refusals.flush();
    const entries = await entriesOf(sql);
    assertEquals(entries.length, 3);
    assertEquals(entries.at(-1)![2], { way: "elsewhere", repeated: 1 });
  });
});
