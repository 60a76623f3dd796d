import { assert, assertEquals } from "@std/assert";
import { createServer } from "../../../src/registry/servers/create.ts";
import { listServers } from "../../../src/registry/servers/list.ts";
import { removeServer } from "../../../src/registry/servers/remove.ts";
import { ListQuery } from "../../../src/registry/schema.ts";
import { UpdateServer } from "../../../src/registry/schema.ts";
import { updateServer } from "../../../src/registry/servers/update.ts";
import { describeDatabases } from "../../helpers/database.ts";
import {
  alice,
  context,
  refusal,
  reportOn,
  serverInput,
  testRegistry,
} from "../../helpers/registry.ts";

/** Records that the filters tell apart, in the order in which they are made. */
const RECORDS: Record<string, Record<string, unknown>> = {
  "weather-by-city": {
    description: "Forecasts for every city, with 100% coverage of Österreich",
    author: "Ångström Labs",
    license: "MIT OR Apache-2.0",
    tools: { names: ["get_forecast", "list_cities"] },
  },
  "bank": {
    description: `Balances and transfers. ${"More words about money. ".repeat(40)}`,
    lang: "go",
    pricing: { currency: "USD", amount: 5 },
    tools: { names: ["get_balance"] },
  },
  "calendar": { description: "天气日历 and appointments under_score", lang: "rust" },
  "aa": { description: "Short", license: "Apache-2.0", pricing: { currency: "USD", amount: 0.5 } },
};

describeDatabases((kind, open) => {
  Deno.test(`listServers() on ${kind}`, async (t) => {
    const database = await open();
    const deps = testRegistry(database, {
      scan: (request) =>
        Promise.resolve(
          reportOn(request, { status: request.serverName === "bank" ? "failed" : "passed" }),
        ),
    });
    const list = (query: Record<string, string>) => listServers(deps, ListQuery.parse(query), null);
    async function names(query: Record<string, string>): Promise<string[]> {
      const page = await list(query);
      assertEquals(page.totalMatching, page.servers.length);
      return page.servers.map((server) => server.name);
    }
    try {
      let day = 1;
      for (const [name, fields] of Object.entries(RECORDS)) {
        deps.clock.time = new Date(`2026-03-0${day++}T00:00:00.000Z`);
        await createServer(deps, alice, serverInput(name, fields), context);
      }

      await t.step("shows records in list form, by name", async () => {
        const page = await list({});
        assertEquals(page.nextCursor, null);
        assertEquals(page.servers.map((server) => server.name), [
          "aa",
          "bank",
          "calendar",
          "weather-by-city",
        ]);
        const bank = page.servers[1]!;
        assertEquals(bank.security_report, {
          summary: { scan_passed: false, total_issues_all_scanners: 2, critical_issues: 2 },
        });
        assert(bank.description.length <= 200, bank.description);
        assert(/(More|words|about|money)…$/.test(bank.description), bank.description);
        assertEquals(Object.keys(bank).at(-1), "security_report");
      });

      const filters: [Record<string, string>, string[]][] = [
        [{ author: "ÅNGSTRÖM labs" }, ["weather-by-city"]],
        [{ author: "A\u030angstro\u0308m Labs" }, ["weather-by-city"]],
        [{ author: "Ångström" }, []],
        [{ author: "%" }, []],
        [{ lang: "GO" }, ["bank"]],
        [{ tool: "get_forecast" }, ["weather-by-city"]],
        [{ tool: "get" }, []],
        [{ license: "mit" }, ["bank", "calendar", "weather-by-city"]],
        [{ license: "mit or apache-2.0" }, ["weather-by-city"]],
        [{ license: "Apache-2.0", lang: "python" }, ["aa", "weather-by-city"]],
        [{ max_price: "0" }, ["calendar", "weather-by-city"]],
        [{ max_price: "0.5" }, ["aa", "calendar", "weather-by-city"]],
        [{ scan_passed: "false" }, ["bank"]],
        [{ scan_passed: "true", max_price: "0.5", lang: "rust" }, ["calendar"]],
        [{ q: "forecasting" }, ["weather-by-city"]],
        [{ q: "FORECAST city" }, ["weather-by-city"]],
        [{ q: "forecast money" }, []],
        [{ q: "get_balance" }, ["bank"]],
        [{ q: "orecas" }, ["weather-by-city"]],
        [{ q: "weathr" }, ["weather-by-city"]],
        [{ q: "österreich" }, ["weather-by-city"]],
        [{ q: "天气" }, ["calendar"]],
        [{ q: "ca" }, ["calendar"]],
        [{ q: "100%" }, ["weather-by-city"]],
        [{ q: "under_score" }, ["calendar"]],
        [{ q: " " }, ["aa", "bank", "calendar", "weather-by-city"]],
        [{ q: "%" }, []],
        [{ q: "___" }, []],
        [{ q: "' or true --" }, []],
        [{ q: "!!!&|():*" }, []],
        [{ q: "-weather" }, ["weather-by-city"]],
        [{ q: "x".repeat(400) }, []],
      ];
      for (const [query, expected] of filters) {
        await t.step(`finds by ${JSON.stringify(query).slice(0, 60)}`, async () => {
          assertEquals(await names(query), expected);
        });
      }

      await t.step("sorts by time, newest first, and by relevance", async () => {
        await updateServer(
          deps,
          alice,
          "bank",
          UpdateServer.parse({ license: "ISC" }),
          context,
        );
        assertEquals(await names({ sort: "updated" }), [
          "aa",
          "bank",
          "calendar",
          "weather-by-city",
        ]);
        assertEquals(await names({ sort: "created" }), [
          "aa",
          "calendar",
          "bank",
          "weather-by-city",
        ]);
        const more = serverInput("zz-city", { description: "Nothing else" });
        await createServer(deps, alice, more, context);
        await createServer(deps, alice, serverInput("city", { description: "Exactly" }), context);
        assertEquals((await names({ q: "city", sort: "relevance" }))[0], "city");
        assertEquals((await names({ q: "Zz City", sort: "relevance" }))[0], "zz-city");
        assertEquals(await names({ q: "city" }), ["city", "weather-by-city", "zz-city"]);
        assertEquals((await names({ sort: "relevance" }))[0], "aa");
      });

      for (const sort of ["name", "updated", "created", "relevance"]) {
        await t.step(`pages through every record once, by ${sort}`, async () => {
          const query = { sort, q: "e", limit: "2" };
          const expected = (await list({ sort, q: "e" })).servers.map((server) => server.name);
          assert(expected.length >= 3, expected.join());
          const pages: string[][] = [];
          let cursor: string | null = null;
          let back: string | null = null;
          do {
            const page = await list(cursor === null ? query : { ...query, cursor });
            assertEquals(page.totalMatching, expected.length);
            assertEquals(page.previousCursor === null, pages.length === 0);
            pages.push(page.servers.map((server) => server.name));
            cursor = page.nextCursor;
            back = page.previousCursor;
          } while (cursor !== null);
          assertEquals(pages.flat(), expected);
          // And back again, through the same pages.
          for (const earlier of pages.toReversed().slice(1)) {
            const page = await list({ ...query, cursor: back! });
            assertEquals(page.servers.map((server) => server.name), earlier);
            back = page.previousCursor;
          }
          assertEquals(back, null);
        });
      }

      await t.step("a page that leads back to the beginning is the first one, whole", async () => {
        const first = await list({ limit: "2" });
        const second = await list({ limit: "2", cursor: first.nextCursor! });
        await createServer(deps, alice, serverInput("a0"), context);
        await createServer(deps, alice, serverInput("a1"), context);
        const between = await list({ limit: "2", cursor: second.previousCursor! });
        assertEquals(between.servers, first.servers);
        const back = await list({ limit: "2", cursor: between.previousCursor! });
        assertEquals(back.servers.map(({ name }) => name), ["a0", "a1"]);
        await removeServer(deps, alice, "a0", context);
        const start = await list({ limit: "2", cursor: between.previousCursor! });
        assertEquals(start.servers.map(({ name }) => name), ["a1", "aa"]);
        assertEquals(start.previousCursor, null);
        await removeServer(deps, alice, "a1", context);
      });

      await t.step("goes on behind a record that is gone", async () => {
        const first = await list({ limit: "1" });
        assertEquals(first.servers[0]!.name, "aa");
        await removeServer(deps, alice, "aa", context);
        const second = await list({ limit: "1", cursor: first.nextCursor! });
        assertEquals(second.servers[0]!.name, "bank");
      });

      await t.step("refuses cursors that are broken, made up or of another list", async () => {
        const { nextCursor } = await list({ limit: "1", sort: "created" });
        const encode = (value: unknown) => btoa(JSON.stringify(value)).replaceAll("=", "");
        const bad: Record<string, string>[] = [
          { cursor: nextCursor! },
          { cursor: nextCursor!, sort: "created", lang: "go" },
          { cursor: nextCursor!.slice(0, -3), sort: "created" },
          { cursor: "" },
          { cursor: "null" },
          { cursor: "%00\0" },
          { cursor: "x".repeat(1024) },
          { cursor: encode(null) },
          { cursor: encode({ sort: "name", filter: "", key: 0, name: "a" }) },
          { cursor: encode({ sort: "created", filter: "x", key: 1e300, name: "a" }) },
          { cursor: encode({ sort: "created", filter: "x", key: "now()", name: "a\0" }) },
        ];
        for (const query of bad) {
          const error = await refusal(() => list(query), "invalid_request");
          assertEquals(error.errors[0]!.path, "cursor");
        }
      });

      await t.step("refuses questions of too many words, NUL and unknown parameters", async () => {
        const many = Array.from({ length: 17 }, (_, n) => `word${n}`).join(" ");
        assertEquals(
          (await refusal(() => list({ q: many }), "invalid_request")).errors[0]!.path,
          "q",
        );
        for (
          const query of [
            { q: "a\0b" },
            { author: "\0" },
            { tool: "\ud800" },
            { license: "\0" },
            { q: "x".repeat(401) },
            { search: "x" },
            { limit: "0" },
            { limit: "1001" },
            { max_price: "-1" },
            { max_price: "" },
            { lang: "cobol" },
          ]
        ) assert(!ListQuery.safeParse(query).success, JSON.stringify(query));
      });
    } finally {
      await database.close();
    }
  });
});
