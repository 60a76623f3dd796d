import { assertEquals } from "@std/assert";
import { parseConfig } from "../../src/config.ts";
import { upkeepJobs } from "../../src/services/operations/upkeep.ts";
import { describeDatabases } from "../helpers/database.ts";

describeDatabases((kind, open) => {
  Deno.test(`upkeep removes what is older than its setting, and keeps the rest (${kind})`, async () => {
    const database = await open();
    const { sql } = database;
    const config = parseConfig({ SCAN_DAYS: "90", AUDIT_DAYS: "365", CALL_RECORD_DAYS: "30" });
    try {
      await sql`
        insert into call_records (stored_at, at, ms, node, server, tool, result, session)
        select now() - days * interval '1 day', now(), 1, 'n', 's', 't', 'ok', 'x'
        from unnest(${[1, 29, 31, 400]}::int[]) as days`;
      await sql`
        insert into audit_log (at, actor, action, subject, request_id, details)
        select now() - days * interval '1 day', 'u', 'server.update', 's', '', '{}'
        from unnest(${[1, 364, 366]}::int[]) as days`;
      await sql`
        insert into archives (sha256, size, created_at) values (${"a".repeat(64)}, 1, now())`;
      const removed: Record<string, number> = {};
      for (const { name, work } of upkeepJobs(config, database, null)) removed[name] = await work();
      assertEquals(removed, { names: 0, scans: 0, archives: 1, packages: 0, audit: 1, calls: 2 });
      const kept = parseConfig({});
      for (const { name, work } of upkeepJobs(kept, database, null)) removed[name] = await work();
      assertEquals(removed["audit"], 0);
    } finally {
      await database.close();
    }
  });
});
