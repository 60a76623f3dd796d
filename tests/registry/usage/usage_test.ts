import { assertEquals } from "@std/assert";
import { ListQuery } from "../../../src/registry/schema.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { listServers } from "../../../src/registry/servers/list.ts";
import { removeServer } from "../../../src/registry/servers/remove.ts";
import { startCallCounter } from "../../../src/registry/usage/counter.ts";
import {
  getUsage,
  readFailures,
  readUsage,
  sumCalls,
} from "../../../src/registry/usage/history.ts";
import { describeDatabases, silentLog } from "../../helpers/database.ts";
import { alice, context, refusal, serverInput, testRegistry } from "../../helpers/registry.ts";

const DAY_MS = 86_400_000;

describeDatabases((kind, open) => {
  Deno.test(`calls of servers are counted, on ${kind}`, async (t) => {
    const database = await open();
    const { sql } = database;
    const deps = testRegistry(database);
    const { clock } = deps;
    const counter = () => startCallCounter({ sql, log: silentLog, now: deps.now, flushMs: 1e9 });
    async function call(name: string, times: number) {
      const calls = counter();
      for (let n = 0; n < times; n++) calls.note(name, false);
      await calls.close();
    }
    const list = async (query: Record<string, string>) =>
      await listServers(deps, ListQuery.parse({ sort: "popular", ...query }), null);
    try {
      for (const name of ["a", "b", "c", "gone"]) {
        await createServer(deps, alice, serverInput(name), context);
      }

      await t.step("by day, of all nodes together", async () => {
        clock.time = new Date("2026-03-01T23:59:59Z");
        const [one, other] = [counter(), counter()];
        one.note("b", false);
        clock.time = new Date("2026-03-02T00:00:01Z");
        for (const node of [one, other]) {
          node.note("b", false);
          await node.close();
        }
        const { total, days } = await getUsage(deps, "b", null);
        assertEquals(total, 3);
        assertEquals(days.length, 30);
        assertEquals(days.slice(-2), [
          { day: "2026-03-01", calls: 1 },
          { day: "2026-03-02", calls: 2 },
        ]);
        assertEquals((await getUsage(deps, "a", null)).total, 0);
      });

      await t.step("not of servers that are gone, and these do not stop the others", async () => {
        const calls = counter();
        calls.note("gone", false);
        calls.note("nobody", false);
        calls.note("c", false);
        await removeServer(deps, alice, "gone", context);
        await calls.close();
        assertEquals((await getUsage(deps, "c", null)).total, 1);
        await refusal(() => getUsage(deps, "gone", null), "not_found");
        await refusal(() => getUsage(deps, "no\0name", null), "not_found");
        assertEquals(
          (await sql`select 1 from server_calls where server <> all('{b,c}')`).length,
          0,
        );
      });

      await t.step("and those that failed are counted beside them", async () => {
        const calls = counter();
        calls.note("b", true);
        calls.note("b", false);
        await calls.close();
        assertEquals(
          await readFailures(sql, ["b", "c"], deps.now()),
          new Map([["b", 1], ["c", 0]]),
        );
        assertEquals(await readFailures(sql, [], deps.now()), new Map());
      });

      await t.step("a failing database costs calls and nothing else", async () => {
        const broken = (() => Promise.reject(new Error("down"))) as never;
        const calls = startCallCounter({ sql: broken, log: silentLog, now: deps.now });
        calls.note("a", false);
        await calls.close();
      });

      await t.step("lists order by them, page by page, once they are summed", async () => {
        await call("c", 8);
        assertEquals((await list({})).servers.map(({ name }) => name), ["a", "b", "c"]);
        await sumCalls(sql, deps.now());
        const pages: string[] = [];
        let cursor: string | null = null;
        do {
          const page = await list({ limit: "1", ...(cursor === null ? {} : { cursor }) });
          pages.push(...page.servers.map(({ name }) => name));
          cursor = page.nextCursor;
        } while (cursor !== null);
        assertEquals(pages, ["c", "b", "a"]);
        const last = await list({ limit: "2" });
        const back = await list({ limit: "2", cursor: last.nextCursor! });
        assertEquals(
          (await list({ limit: "2", cursor: back.previousCursor! })).servers.map((s) => s.name),
          ["c", "b"],
        );
      });

      await t.step(
        "what is older than thirty days no longer counts, and is forgotten",
        async () => {
          clock.time = new Date(clock.time.getTime() + 31 * DAY_MS);
          await sumCalls(sql, deps.now());
          assertEquals((await getUsage(deps, "c", null)).total, 0);
          assertEquals((await list({})).servers.map(({ name }) => name), ["a", "b", "c"]);
          clock.time = new Date(clock.time.getTime() + 10 * DAY_MS);
          await sumCalls(sql, deps.now());
          assertEquals((await sql`select 1 from server_calls`).length, 0);
          assertEquals(await readUsage(sql, [], deps.now()), new Map());
        },
      );
    } finally {
      await database.close();
    }
  });
});
