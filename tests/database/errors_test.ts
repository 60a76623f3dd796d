import { assertEquals } from "@std/assert";
import { isDatabaseUnavailable } from "../../src/database/errors.ts";
import { describeDatabases } from "../helpers/database.ts";

describeDatabases((kind, open) => {
  Deno.test(`a list that the driver sends as a text is a fault of the connection, on ${kind}`, async () => {
    const database = await open();
    try {
      const { sql } = database;
      const asText = await sql`select 'one'::text[]`.catch((error) => error);
      assertEquals(isDatabaseUnavailable(asText), true, String(asText));
      const noNumber = await sql`select 'one'::int`.catch((error) => error);
      assertEquals(isDatabaseUnavailable(noNumber), false, String(noNumber));
    } finally {
      await database.close();
    }
  });
});
