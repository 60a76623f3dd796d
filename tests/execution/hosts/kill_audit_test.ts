import { assertEquals } from "@std/assert";
import { Refusals } from "../../../src/audit/refusals.ts";
import { parseConfig } from "../../../src/config.ts";
import type { HostKill } from "../../../src/execution/hosts/types.ts";
import { egressPolicyOf, startExecution } from "../../../src/services/execution.ts";
import { openTestDatabase } from "../../helpers/database.ts";
import { silentLogger } from "../../helpers/log.ts";
import { fakeHosts } from "../fake_hosts.ts";

Deno.test("a host that is ended for what its code did is an entry of the audit log", async () => {
  const database = await openTestDatabase();
  const log = silentLogger();
  const { sql } = database;
  const refusals = new Refusals({ sql, log, now: () => new Date() });
  const config = parseConfig({});
  let kill = (_: HostKill) => {};
  const execution = await startExecution({
    keptValues: () => Promise.resolve([]),
    keepsValues: false,
    objects: null,
    config,
    sql,
    log,
    hosts: { ...fakeHosts({}), onKill: (listener) => void (kill = listener) },
    egressPolicy: egressPolicyOf(config),
    authenticate: () => Promise.reject(new Error("nobody signs in")),
    noteRefusal: refusals.note,
    endpoints: [],
  });
  try {
    kill({ server: "weather", reason: "memory", message: "It used too much" });
    kill({ server: "weather", reason: "protocol", message: "It lied" });
    kill({ server: "weather", reason: "protocol", message: "It lied" });
    await refusals.flush();
    const rows = await sql`select actor, action, subject, details from audit_log order by id`;
    assertEquals(rows.map((row) => ({ ...row })), [
      {
        actor: "system",
        action: "execution.kill",
        subject: "weather",
        details: { reason: "memory", message: "It used too much" },
      },
      {
        actor: "system",
        action: "execution.kill",
        subject: "weather",
        details: { reason: "protocol", message: "It lied" },
      },
    ]);
  } finally {
    await execution.close();
    await refusals.close();
    await database.close();
  }
});
