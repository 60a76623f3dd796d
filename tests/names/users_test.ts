import { now } from "../../src/clock.ts";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { Sql } from "../../src/database/client.ts";
import { AppError } from "../../src/errors.ts";
import type { Caller } from "../../src/identity/caller.ts";
import { renameUser } from "../../src/identity/rename.ts";
import { userOf } from "../../src/names/users.ts";
import { claimAuthor } from "../../src/names/namespaces.ts";
import { describeDatabases } from "../helpers/database.ts";

function depsOf(sql: Sql) {
  return { sql, now };
}

async function rename(sql: Sql, userId: string, username: string): Promise<Caller> {
  const caller = {
    userId,
    username: "before",
    email: null,
    emailVerified: null,
    signInProvider: null,
    isAdmin: false,
    authTime: null,
    expiresAt: new Date(),
    tokenDigest: "0".repeat(64),
    issuedAt: new Date(),
  };
  return await renameUser(depsOf(sql), caller, username, { requestId: "request-1" });
}

async function reserve(sql: Sql, author: string, owner: string): Promise<void> {
  await claimAuthor(sql, author, owner, new Date());
}

async function ownerOf(sql: Sql, author: string): Promise<string | undefined> {
  const [row] = await sql`select owner from namespace_owners where author_key = ${author}`;
  return row?.["owner"];
}

describeDatabases((kind, open) => {
  function test(name: string, run: (sql: Sql) => Promise<void>) {
    Deno.test(`${name} (${kind})`, async () => {
      const database = await open();
      try {
        await run(database.sql);
      } finally {
        await database.close();
      }
    });
  }

  test("userOf() fixes the username at the first call", async (sql) => {
    assertEquals((await userOf(depsOf(sql), "s1", "jane@example.com")).username, "jane");
    assertEquals((await userOf(depsOf(sql), "s1", "another@example.com")).username, "jane");
    assertEquals(await ownerOf(sql, "jane"), "s1");
  });

  test("userOf() numbers usernames that are taken, by users or authors", async (sql) => {
    await reserve(sql, "jane-3", "somebody");
    const names: string[] = [];
    for (const subject of ["s1", "s2", "s3", "s4"]) {
      names.push((await userOf(depsOf(sql), subject, `jane@${subject}.example`)).username);
    }
    assertEquals(names, ["jane", "jane-2", "jane-4", "jane-5"]);
  });

  test("userOf() makes one user of many first calls at once", async (sql) => {
    const users = await Promise.all(
      Array.from({ length: 12 }, () => userOf(depsOf(sql), "s1", "jane@example.com")),
    );
    assertEquals(new Set(users.map((user) => user.username)), new Set(["jane"]));
    const [row] = await sql`select count(*)::int as count from author_namespaces`;
    assertEquals(row?.["count"], 1);
  });

  test("userOf() gives no username twice to subjects that come at once", async (sql) => {
    const users = await Promise.all(
      Array.from(
        { length: 12 },
        (_, index) => userOf(depsOf(sql), `s${index}`, "jane@example.com"),
      ),
    );
    const expected = ["jane", ...Array.from({ length: 11 }, (_, index) => `jane-${index + 2}`)];
    assertEquals(users.map((user) => user.username).sort(), expected.sort());
    for (const { subject, username } of users) assertEquals(await ownerOf(sql, username), subject);
  });

  test("userOf() takes hostile e-mails", async (sql) => {
    const odd = await userOf(depsOf(sql), "s1", "%'; drop table users; --@example.com");
    assertEquals(odd.username, "drop-table-users");
    assertMatch((await userOf(depsOf(sql), "s2", "\0\0@example.com")).username, /^user-/);
  });

  test("renameUser() works once and reserves the author", async (sql) => {
    await userOf(depsOf(sql), "s1", "jane@example.com");
    await rename(sql, "s1", "jane");
    await rename(sql, "s1", "janet");
    assertEquals((await userOf(depsOf(sql), "s1", null)).username, "janet");
    assertEquals(await ownerOf(sql, "janet"), "s1");
    const [audit] = await sql`select actor, action, subject, request_id, details from audit_log`;
    assertEquals({ ...audit }, {
      actor: "s1",
      action: "user.rename",
      subject: "janet",
      request_id: "request-1",
      details: { before: "jane" },
    });
    await rename(sql, "s1", "janet");
    const error = await assertRejects(() => rename(sql, "s1", "joan"), AppError);
    assertEquals(error.code, "conflict");
    assertEquals((await userOf(depsOf(sql), "s1", null)).username, "janet");
  });

  test("renameUser() refuses a name that a user or an author has", async (sql) => {
    await userOf(depsOf(sql), "s1", "jane@example.com");
    await userOf(depsOf(sql), "s2", "joan@example.com");
    await reserve(sql, "acme", "somebody");
    for (const name of ["joan", "acme"]) {
      const error = await assertRejects(() => rename(sql, "s1", name), AppError);
      assertEquals(error.code, "conflict");
    }
    await rename(sql, "s1", "free");
    assertEquals((await userOf(depsOf(sql), "s1", null)).username, "free");
  });

  test("renameUser() gives a name to one of many who ask at once", async (sql) => {
    const subjects = Array.from({ length: 8 }, (_, index) => `s${index}`);
    for (const subject of subjects) await userOf(depsOf(sql), subject, null);
    const results = await Promise.allSettled(
      subjects.map((subject) => rename(sql, subject, "wanted")),
    );
    assertEquals(results.filter((result) => result.status === "fulfilled").length, 1);
    for (const result of results) {
      if (result.status === "rejected") assertEquals(result.reason.code, "conflict");
    }
  });

  test("renameUser() keeps the old name for its user", async (sql) => {
    await userOf(depsOf(sql), "s1", "jane@example.com");
    await rename(sql, "s1", "janet");
    assertEquals((await userOf(depsOf(sql), "s2", "jane@example.com")).username, "jane-2");
  });
});
