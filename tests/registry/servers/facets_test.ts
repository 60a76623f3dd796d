import { assertEquals } from "@std/assert";
import { createServer } from "../../../src/registry/servers/create.ts";
import { createFacetReader, readFacets } from "../../../src/registry/servers/facets.ts";
import { listServers } from "../../../src/registry/servers/list.ts";
import { removeServer } from "../../../src/registry/servers/remove.ts";
import { ListQuery } from "../../../src/registry/schema.ts";
import { describeDatabases } from "../../helpers/database.ts";
import { callerOf, serverInput, testRegistry } from "../../helpers/registry.ts";

const HOSTILE = "<script>alert(1)</script>'; drop table servers; -- מחבר";

const RECORDS: Record<string, Record<string, unknown>> = {
  "one": { license: "MIT OR Apache-2.0", author: "Ada" },
  "two": { license: "Apache-2.0", author: "Ada", lang: "go" },
  "three": { license: "MIT", author: HOSTILE },
  "four": { license: "MIT", author: "Ada", lang: "go" },
};

describeDatabases((kind, open) => {
  Deno.test(`facets of a list on ${kind}`, async (t) => {
    const database = await open();
    const deps = testRegistry(database, {});
    const query = (given: Record<string, string>) => ListQuery.parse(given);
    const facets = (given: Record<string, string>) =>
      readFacets(deps.sql, { query: query(given), viewer: null });
    const context = { requestId: "r" };
    const [ada, eve] = [callerOf("ada"), callerOf("eve")];
    try {
      for (const [name, fields] of Object.entries(RECORDS)) {
        const caller = fields["author"] === HOSTILE ? eve : ada;
        await createServer(deps, caller, serverInput(name, fields), context);
      }

      await t.step("count what their filters find, most frequent first", async () => {
        const { licenses, authors } = await facets({});
        assertEquals(licenses, [{ value: "MIT", count: 3 }, { value: "Apache-2.0", count: 2 }]);
        assertEquals(authors, [{ value: "Ada", count: 3 }, { value: HOSTILE, count: 1 }]);
        for (const { value, count } of licenses) {
          const page = await listServers(deps, query({ license: value }), null);
          assertEquals(page.totalMatching, count);
        }
        for (const { value, count } of authors) {
          assertEquals(
            (await listServers(deps, query({ author: value }), null)).totalMatching,
            count,
          );
        }
      });

      await t.step("keep the other filters, and leave out their own", async () => {
        assertEquals((await facets({ lang: "go" })).licenses.map(({ count }) => count), [1, 1]);
        const { licenses, authors } = await facets({ license: "apache-2.0" });
        assertEquals(licenses.length, 2);
        assertEquals(authors, [{ value: "Ada", count: 2 }]);
        const { categories: [category] } = await facets({});
        const all = { license: "mit", author: "ada", category: category!.value, lang: "go" };
        const own = await facets(all);
        for (
          const [name, facet] of Object.entries(
            { category: "categories", license: "licenses", author: "authors" } as const,
          )
        ) {
          for (const { value, count } of own[facet]) {
            const page = await listServers(deps, query({ ...all, [name]: value }), null);
            assertEquals(page.totalMatching, count, `${name} ${value}`);
          }
        }
        assertEquals(await facets({ q: "nothing-like-it" }), {
          categories: [],
          licenses: [],
          authors: [],
        });
      });

      await t.step("are counted again when the registry has changed", async () => {
        const reader = createFacetReader(deps.sql);
        const read = (query: ListQuery, total: number) => reader({ query, viewer: null }, total);
        const first = await read(query({}), 4);
        assertEquals(await read(query({ sort: "updated" }), 4), first);
        await removeServer(deps, ada, "two", context);
        assertEquals((await read(query({}), 3)).licenses, [
          { value: "MIT", count: 3 },
          { value: "Apache-2.0", count: 1 },
        ]);
        deps.clock.time = new Date("2027-01-01T00:00:00Z");
        await createServer(deps, ada, serverInput("five", { author: "Ada" }), context);
        assertEquals((await read(query({}), 3)).authors[0], { value: "Ada", count: 3 });
      });
    } finally {
      await database.close();
    }
  });
});
