import { assertEquals } from "@std/assert";
import { openTestDatabase } from "../helpers/database.ts";
import type { TestPackage } from "../helpers/package_index.ts";
import { reasonsOf, versionsOf, withIndex } from "./harness.ts";

/** Fifty versions, each of which wants something that is not there. */
const HOPELESS: TestPackage[] = Array.from({ length: 50 }, (_, number) => ({
  name: "hopeless",
  version: `${number + 1}.0`,
  requires: [`absent${number}`],
}));

Deno.test("a search that may fetch nothing more ends with what it knows, and says of the rest why it lacks", async () => {
  const packages: TestPackage[] = [
    ...HOPELESS,
    { name: "plain", version: "1.0", requires: ["beside>=2"] },
    { name: "beside", version: "2.0" },
  ];
  const database = await openTestDatabase();
  try {
    await withIndex(database.sql, packages, async ({ resolve }) => {
      const found = await resolve({
        "server.py": "",
        "requirements.txt": "plain\nhopeless\nbeside\n",
      });
      assertEquals(found.problem, null);
      assertEquals(versionsOf(found), ["beside 2.0", "hopeless 50.0", "plain 1.0"]);
      assertEquals(reasonsOf(found).map((text) => text.split(":")[0]), ["absent49"]);
    }, { deps: { maxRequests: 16 } });
  } finally {
    await database.close();
  }
});
