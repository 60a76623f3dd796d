import { assertEquals, assertInstanceOf, assertStringIncludes } from "@std/assert";
import { createServer } from "../../../src/registry/servers/create.ts";
import { createFacetReader, readFacets } from "../../../src/registry/servers/facets.ts";
import { listServers } from "../../../src/registry/servers/list.ts";
import { removeServer } from "../../../src/registry/servers/remove.ts";
import { filters } from "../../../src/registry/servers/list_sql.ts";
import { ListQuery } from "../../../src/registry/schema.ts";
import { describeDatabases } from "../../helpers/database.ts";
import { callerOf, serverInput, testRegistry } from "../../helpers/registry.ts";

const HOSTILE = "<script>alert(1)</script>'; drop table servers; -- מחבר";

/** The index that has all columns that are counted or filtered by. */
const COUNTED = "servers_counted_readable";

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
        const read = (query: ListQuery) => reader({ query, viewer: null });
        const first = await read(query({}));
        assertEquals(await read(query({ sort: "updated" })), first);
        await removeServer(deps, ada, "two", context);
        assertEquals((await read(query({}))).licenses, [
          { value: "MIT", count: 3 },
          { value: "Apache-2.0", count: 1 },
        ]);
        deps.clock.time = new Date("2027-01-01T00:00:00Z");
        await createServer(deps, ada, serverInput("five", { author: "Ada" }), context);
        assertEquals((await read(query({}))).authors[0], { value: "Ada", count: 3 });
      });

      await t.step("need an index alone, as the number of servers does", async () => {
        await deps.sql`vacuum servers`;
        const asked = query({
          author: "ada",
          lang: "go",
          max_price: "5",
          scan_passed: "true",
          category: "places",
          runs_here: "true",
        });
        const plans: Record<string, string>[][] = [];
        await deps.sql.begin(async (sql) => {
          const others = await sql<{ name: string }[]>`
            select indexname as name from pg_indexes where tablename = 'servers'
              and indexname not in ('servers_pkey', ${COUNTED})`;
          for (const { name } of others) await sql`drop index ${sql(name)}`;
          await sql`set local enable_seqscan = off`;
          await sql`set local enable_bitmapscan = off`;
          const where = filters(sql, { query: asked, question: null, viewer: null });
          plans.push(
            await sql`explain select count(*) from servers where ${where}`,
            await sql`
              explain select category, license, author_key, count(*) from servers where ${where}
              group by grouping sets ((category), (license), (author_key))`,
          );
          throw new Deno.errors.Interrupted("nothing of it stays");
        }).catch((error) => assertInstanceOf(error, Deno.errors.Interrupted));
        assertEquals(plans.length, 2);
        for (const plan of plans) {
          const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
          assertStringIncludes(text, `Index Only Scan using ${COUNTED}`);
        }
      });
    } finally {
      await database.close();
    }
  });
});
