import { assert, assertEquals } from "@std/assert";
import { type Change, recordChange, SYSTEM_ACTOR } from "../../src/audit/audit.ts";
import { listAudit, listServerAudit } from "../../src/audit/list.ts";
import { ANONYMOUS_ACTOR } from "../../src/audit/refusals.ts";
import { ACCESS_DAYS, REFUSAL_DAYS, removeOldEntries } from "../../src/audit/retention.ts";
import {
  AuditEntry,
  AuditQuery,
  ServerAuditEntry,
  ServerAuditQuery,
} from "../../src/audit/schema.ts";
import type { Sql } from "../../src/database/client.ts";
import { describeDatabases } from "../helpers/database.ts";
import { refusal } from "../helpers/registry.ts";

const START = new Date("2026-05-01T12:00:00.000Z");

function after(seconds: number): Date {
  return new Date(START.getTime() + seconds * 1000);
}

describeDatabases((kind, open) => {
  function test(name: string, body: (sql: Sql) => Promise<void>): void {
    Deno.test(`${name} (${kind})`, async () => {
      const database = await open();
      try {
        await body(database.sql);
      } finally {
        await database.close();
      }
    });
  }

  async function record(sql: Sql, change: Partial<Change> & { action: string }): Promise<void> {
    const base = { actor: "u-ada", subject: "weather", requestId: "request-1", at: START };
    await recordChange(sql, { ...base, ...change });
  }

  async function addUser(sql: Sql, subject: string, username: string): Promise<void> {
    await sql`
      insert into users (subject, username, created_at) values (${subject}, ${username}, now())`;
  }

  async function idsOf(sql: Sql, query: Record<string, unknown>): Promise<string[]> {
    const { entries } = await listAudit({ sql }, AuditQuery.parse(query));
    return entries.map((entry) => `${entry.action} ${entry.subject}`);
  }

  test("listAudit() filters by actor, action, subject and time, newest first", async (sql) => {
    await addUser(sql, "u-ada", "ada");
    await addUser(sql, "u-bob", "bob");
    await record(sql, { action: "server.create" });
    await record(sql, { action: "server.update", at: after(1), details: { changed: ["version"] } });
    await record(sql, { action: "user.rename", actor: "u-bob", subject: "bobby", at: after(2) });
    await record(sql, { action: "server.rescan", actor: SYSTEM_ACTOR, at: after(3) });
    await record(sql, { action: "serverless.x", actor: "u-gone", subject: "y", at: after(4) });
    const all = [
      "serverless.x y",
      "server.rescan weather",
      "user.rename bobby",
      "server.update weather",
      "server.create weather",
    ];
    const cases: [query: Record<string, unknown>, expected: (string | undefined)[]][] = [
      [{}, all],
      [{ actor: "ada" }, [all[3], all[4]]],
      [{ actor: "u-ada" }, [all[3], all[4]]],
      [{ actor: "bob" }, [all[2]]],
      [{ actor: "system" }, [all[1]]],
      [{ actor: "a%" }, []],
      [{ actor: "' or true --" }, []],
      [{ action: "server" }, [all[1], all[3], all[4]]],
      [{ action: "server.update" }, [all[3]]],
      [{ action: "serve_" }, []],
      [{ subject: "weather" }, [all[1], all[3], all[4]]],
      [{ since: after(1).toISOString(), until: after(3).toISOString() }, [all[2], all[3]]],
      [{ since: "2026-05-01T14:00:03+02:00" }, [all[0], all[1]]],
      [{ actor: "ada", action: "server", subject: "weather", until: after(1).toISOString() }, [
        all[4],
      ]],
    ];
    for (const [query, expected] of cases) {
      assertEquals(await idsOf(sql, query), expected as string[], JSON.stringify(query));
    }
    const { entries } = await listAudit({ sql }, AuditQuery.parse({}));
    for (const entry of entries) AuditEntry.parse(entry);
    assertEquals(entries.map(({ by, username }) => [by, username]), [
      ["user", null],
      ["system", null],
      ["user", "bob"],
      ["user", "ada"],
      ["user", "ada"],
    ]);
    const [, , , update] = entries;
    assertEquals(
      [update!.actor, update!.request_id, update!.at, update!.details],
      ["u-ada", "request-1", after(1).toISOString(), { changed: ["version"] }],
    );
  });

  test("listAudit() pages without gaps or repetitions while entries come", async (sql) => {
    for (let number = 0; number < 25; number++) {
      await record(sql, { action: "server.update", subject: `s${number}`, at: START });
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query = { limit: "10", action: "server", ...(cursor === null ? {} : { cursor }) };
      const page = await listAudit({ sql }, AuditQuery.parse(query));
      const again = await listAudit({ sql }, AuditQuery.parse(query));
      if (cursor !== null) assertEquals(again, page);
      seen.push(...page.entries.map((entry) => entry.subject));
      cursor = page.nextCursor;
      await record(sql, { action: "server.update", subject: "late", at: START });
    } while (cursor !== null);
    assertEquals(seen, Array.from({ length: 25 }, (_, index) => `s${24 - index}`));
  });

  test("listAudit() refuses cursors of other lists", async (sql) => {
    for (let number = 0; number < 3; number++) await record(sql, { action: "server.update" });
    const query = AuditQuery.parse({ limit: "1" });
    const { nextCursor } = await listAudit({ sql }, query);
    assert(nextCursor !== null);
    // The page's size may change.
    const more = { ...query, limit: 2, cursor: nextCursor };
    assertEquals((await listAudit({ sql }, more)).entries.length, 2);
    const forged = (value: unknown) => btoa(JSON.stringify(value));
    const others = [
      { ...query, subject: "weather", cursor: nextCursor },
      ...["", "x", "{}", forged([]), forged({ filter: "", id: 1 }), forged({ id: "1; drop" })]
        .map((cursor) => ({ ...query, cursor })),
    ];
    for (const other of others) await refusal(() => listAudit({ sql }, other), "invalid_request");
  });

  test("listServerAudit() shows owners their server, and no user ids", async (sql) => {
    await addUser(sql, "u-ada", "ada");
    await addUser(sql, "u-root", "root-admin");
    await record(sql, { action: "server.remove", actor: "u-before", at: after(-9) });
    await record(sql, { action: "server.create", details: { version: "1.0.0" } });
    await record(sql, { action: "server.update", subject: "other", at: after(1) });
    await record(sql, { action: "user.rename", actor: "u-bob", at: after(2) });
    await record(sql, { action: "token.create", actor: "u-bob", at: after(2) });
    await record(sql, {
      action: "server.transfer",
      at: after(2),
      details: { from: "u-ada", to: "u-gone", secret: "x" },
    });
    await record(sql, {
      action: "payment.confirm",
      actor: SYSTEM_ACTOR,
      at: after(2),
      details: { buyer: "carol", amount: "3.00", currency: "USD" },
    });
    await record(sql, {
      action: "server.update",
      actor: "u-root",
      at: after(3),
      details: { changed: ["license"], owner: "u-ada", to: "u-bob" },
    });
    await record(sql, {
      action: "execution.refuse",
      actor: ANONYMOUS_ACTOR,
      at: after(4),
      details: { required: "passed scan", current: "scan failed", repeated: 3 },
    });
    await record(sql, {
      action: "egress.refuse",
      actor: ANONYMOUS_ACTOR,
      at: after(5),
      details: { repeated: 77 },
    });
    await record(sql, {
      action: "egress.refuse",
      actor: ANONYMOUS_ACTOR,
      at: after(6),
      details: { target: "secret.evil.example:443", further: true },
    });
    await record(sql, {
      action: "execution.kill",
      actor: SYSTEM_ACTOR,
      at: after(7),
      details: { reason: "memory", message: "It used too much", repeated: 5 },
    });
    const server = { name: "weather", createdAt: START };
    const { entries, nextCursor } = await listServerAudit(
      { sql },
      server,
      ServerAuditQuery.parse({}),
    );
    assertEquals(nextCursor, null);
    for (const entry of entries) ServerAuditEntry.strict().parse(entry);
    assert(!JSON.stringify(entries).includes("u-"));
    assertEquals(
      entries.map(({ by, username, action, details }) => [by, username, action, details]),
      [
        ["system", null, "execution.kill", { reason: "memory" }],
        ["anonymous", null, "egress.refuse", {}],
        ["anonymous", null, "execution.refuse", {
          required: "passed scan",
          current: "scan failed",
          repeated: 3,
        }],
        ["user", "root-admin", "server.update", { changed: ["license"], owner: "ada", to: null }],
        ["system", null, "payment.confirm", { buyer: "carol", amount: "3.00", currency: "USD" }],
        ["user", "ada", "server.transfer", { from: "ada", to: null }],
        ["user", "ada", "server.create", { version: "1.0.0" }],
      ],
    );
    const before = ServerAuditQuery.parse({ since: "2020-01-01T00:00:00Z", action: "server" });
    assertEquals((await listServerAudit({ sql }, server, before)).entries.length, 3);
  });

  test("removeOldEntries() keeps changes", async (sql) => {
    const days = (number: number) => new Date(START.getTime() - number * 86_400_000);
    const actions = [
      ...["server.create", "egress.refuse", "execution.kill"],
      ...["token.revoke", "account.sign_in"],
    ];
    for (const action of actions) {
      for (const age of [0, REFUSAL_DAYS + 1, ACCESS_DAYS + 1]) {
        await record(sql, { action, subject: String(age), at: days(age) });
      }
    }
    await removeOldEntries(sql, START);
    assertEquals((await idsOf(sql, {})).sort(), [
      "account.sign_in 0",
      "account.sign_in 91",
      "egress.refuse 0",
      "execution.kill 0",
      "server.create 0",
      "server.create 401",
      "server.create 91",
      "token.revoke 0",
      "token.revoke 91",
    ]);
  });
});
