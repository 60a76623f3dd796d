import { assert, assertEquals } from "@std/assert";
import { findClient, insertClient, sweepClients } from "../../../src/issuer/clients/store.ts";
import { describeDatabases } from "../../helpers/database.ts";

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const at = (days: number) => new Date(START + days * DAY_MS);

function client(id: string) {
  return { client_id: id, redirect_uris: ["https://a.example/"] };
}

describeDatabases((kind, open) => {
  Deno.test(`clients are kept up to a number (${kind})`, async () => {
    const { sql, close } = await open();
    try {
      for (const id of ["a", "b", "c"]) assert(await insertClient(sql, client(id), at(0), 3));
      assert(!await insertClient(sql, client("d"), at(0), 3));
      assertEquals(await findClient(sql, "a", at(0)), client("a"));
      assertEquals(await findClient(sql, "d", at(0)), null);
    } finally {
      await close();
    }
  });

  Deno.test(`clients that nobody uses are forgotten (${kind})`, async () => {
    const { sql, close } = await open();
    try {
      for (const id of ["never", "used", "idle"]) await insertClient(sql, client(id), at(0));
      await findClient(sql, "used", at(0));
      await findClient(sql, "idle", at(0));
      await sweepClients(sql, at(0.9));
      const ids = async () => {
        const rows = await sql<{ id: string }[]>`select id from issuer_clients order by id`;
        return rows.map(({ id }) => id);
      };
      assertEquals(await ids(), ["idle", "never", "used"]);
      await sweepClients(sql, at(1.1));
      assertEquals(await ids(), ["idle", "used"]);
      await findClient(sql, "used", at(80));
      await sweepClients(sql, at(91));
      assertEquals(await ids(), ["used"]);
    } finally {
      await close();
    }
  });
});
