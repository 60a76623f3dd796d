import { assertEquals } from "@std/assert";
import { createKeptGroups, groupsIn, storeGroups } from "../../src/identity/groups.ts";
import { describeDatabases } from "../helpers/database.ts";

Deno.test("groups are the texts of a claim, and what is no name is left out", () => {
  const cases: [claims: Record<string, unknown>, groups: string[] | null][] = [
    [{}, null],
    [{ other: ["a"] }, null],
    [{ groups: [] }, []],
    [{ groups: null }, []],
    [{ groups: 7 }, []],
    [{ groups: { a: 1 } }, []],
    [{ groups: "team" }, ["team"]],
    [{ groups: ["b", "a", "b"] }, ["b", "a"]],
    [{ groups: ["ok", "", "a\0b", "x".repeat(201), 1, null, ["y"], "\ud800"] }, ["ok"]],
    [{ groups: Array.from({ length: 9000 }, (_, n) => `g${n}`) }, null],
  ];
  for (const [claims, expected] of cases.slice(0, -1)) {
    assertEquals(groupsIn(claims, "groups"), expected, JSON.stringify(claims));
  }
  assertEquals(groupsIn(cases.at(-1)![0], "groups")!.length, 500);
  assertEquals(groupsIn({}, "__proto__"), null);
  assertEquals(groupsIn({ "https://example.com/groups": ["a"] }, "https://example.com/groups"), [
    "a",
  ]);
});

describeDatabases((kind, open) => {
  Deno.test(`groups are those of the token that was issued last (${kind})`, async () => {
    const database = await open();
    const { sql } = database;
    const at = (seconds: number) => new Date(seconds * 1000);
    async function stored() {
      const [row] = await sql<{ groups: string[] }[]>`select groups from users`;
      return row?.groups;
    }
    const token = (digest: string, groups: unknown, seconds: number) => ({
      digest,
      subject: "u",
      issuedAt: at(seconds),
      claims: { groups },
    });
    try {
      await storeGroups(sql, "u", ["nobody"], at(1));
      await sql`insert into users (subject, username, created_at) values ('u', 'u', now())`;
      assertEquals(await stored(), []);
      const kept = createKeptGroups(sql, "groups");
      assertEquals(await kept.keep(token("1", ["a"], 10)), ["a"]);
      assertEquals(await stored(), ["a"]);
      assertEquals(await kept.keep(token("2", ["b"], 20)), ["b"]);
      // Issued before, seen later; and one that was looked at already.
      await kept.keep(token("3", ["c"], 15));
      await kept.keep(token("1", ["a"], 10));
      assertEquals(await stored(), ["b"]);
      assertEquals(await kept.keep({ ...token("4", [], 30), claims: {} }), null);
      assertEquals(await stored(), ["b"]);
      await kept.clear("u", at(40));
      assertEquals(await stored(), []);
    } finally {
      await database.close();
    }
  });
});
