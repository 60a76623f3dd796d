import { assertEquals } from "@std/assert";
import { openTestDatabase } from "../helpers/database.ts";
import { versionsOf, withIndex } from "./harness.ts";

const DEADLINES: readonly (readonly [what: string, patience: number, found: string[]])[] = [
  ["ends at its deadline", 1, []],
  ["takes longer on a machine with more work than processors", 1e6, ["plain 1.0"]],
];

for (const [what, patience, found] of DEADLINES) {
  Deno.test(`resolvePackages() ${what}`, async () => {
    const database = await openTestDatabase();
    const options = { deps: { deadlineMs: 1, patience: () => patience } };
    try {
      await withIndex(database.sql, [{ name: "plain", version: "1.0" }], async ({ resolve }) => {
        const packages = await resolve({ "server.py": "", "requirements.txt": "plain\n" });
        assertEquals(versionsOf(packages), found);
        assertEquals(packages.problem === null, found.length > 0);
      }, options);
    } finally {
      await database.close();
    }
  });
}
