import { assertEquals } from "@std/assert";
import { exportCalls, removeOldCalls } from "../../src/audit/calls/export.ts";
import { type CallRecord, startCallRecorder } from "../../src/audit/calls/recorder.ts";
import type { Sql } from "../../src/database/client.ts";
import { describeDatabases, silentLog } from "../helpers/database.ts";
import { recordingLogger } from "../helpers/log.ts";

const CALL: CallRecord = {
  startedAt: new Date("2026-01-02T03:04:05Z"),
  ms: 12.34,
  userId: "u-1",
  server: "weather",
  version: "1.0.0",
  tool: "get",
  result: "ok",
  session: "s-1",
  traceId: null,
};

/** Records are given out once they have settled. */
async function settle(sql: Sql): Promise<void> {
  await sql`update call_records set stored_at = stored_at - interval '1 minute'`;
}

describeDatabases((kind, open) => {
  Deno.test(`records of calls are exported in order, each once (${kind})`, async () => {
    const database = await open();
    const { sql } = database;
    try {
      await sql`
        insert into users (subject, username, created_at) values ('u-1', 'jane-doe', now())`;
      const recorder = startCallRecorder({ sql, log: silentLog, node: "n", flushMs: 3_600_000 });
      for (let at = 0; at < 2_500; at++) recorder.note({ ...CALL, tool: `t${at}` });
      recorder.note({
        ...CALL,
        userId: null,
        version: null,
        tool: "a\0b\ud800",
        result: "timeout",
      });
      await recorder.close();
      assertEquals(recorder.figures, { stored: 2_501, dropped: 0 });
      assertEquals(await exportCalls({ sql }, { limit: 10 }), []);
      await settle(sql);

      const seen: string[] = [];
      let after: string | undefined;
      for (;;) {
        const lines = await exportCalls({ sql }, { after, limit: 1_000 });
        if (lines.length === 0) break;
        seen.push(...lines.map(({ tool }) => tool));
        after = lines.at(-1)!.id;
      }
      assertEquals(seen.slice(0, 2_500), Array.from({ length: 2_500 }, (_, at) => `t${at}`));
      assertEquals(seen.slice(2_500), ["a\ufffdb\ufffd"]);
      const [first] = await exportCalls({ sql }, { limit: 1, since: new Date(0) });
      const { id: _id, ...rest } = first!;
      assertEquals(rest, {
        at: "2026-01-02T03:04:05.000Z",
        ms: 12.3,
        node: "n",
        user_id: "u-1",
        username: "jane-doe",
        server: "weather",
        version: "1.0.0",
        tool: "t0",
        result: "ok",
        session: "s-1",
        trace_id: null,
      });
      assertEquals(await removeOldCalls(sql, new Date(Date.now() - 3_600_000)), 0);
      assertEquals(await removeOldCalls(sql, new Date()), 2_501);
    } finally {
      await database.close();
    }
  });
});

Deno.test("records wait for the database, up to a bound, and are counted when they are dropped", async () => {
  const { log, lines } = recordingLogger();
  let works = false;
  let rows = 0;
  const sql = ((first: unknown) => {
    if (Array.isArray(first) && !("raw" in first)) {
      rows = first.length;
      return first;
    }
    return works ? Promise.resolve(rows) : Promise.reject(new Error("gone"));
  }) as unknown as Sql;
  const recorder = startCallRecorder({ sql, log, node: "n", flushMs: 3_600_000 });
  for (let at = 0; at < 20_003; at++) recorder.note(CALL);
  await recorder.flush();
  assertEquals(recorder.figures, { stored: 0, dropped: 3 });
  works = true;
  await recorder.close();
  assertEquals(recorder.figures, { stored: 20_000, dropped: 3 });
  const events = lines.map(({ event }) => event);
  assertEquals(events, ["calls.not_recorded", "calls.dropped"]);
});
