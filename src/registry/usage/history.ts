/**
 * How much servers were used: by day for those that are shown, and in all for the order of lists.
 *
 * @module
 */
import { z } from "zod";
import type { Queryable, Sql } from "../../database/client.ts";
import type { Viewer } from "../../access/rule.ts";
import { checkReadable } from "../access/check.ts";
import type { RegistryDeps } from "../deps.ts";
import { dayOf } from "./counter.ts";

/** Days that count. */
export const USAGE_DAYS = 30;
/** Days that are kept; more than count, as nodes' clocks differ. */
const KEPT_DAYS = 35;
const DAY_MS = 86_400_000;

/** How much a server was used lately. */
export const Usage = z.object({
  total: z.int().min(0).meta({ description: `Calls of tools in the last ${USAGE_DAYS} days` }),
  days: z.array(z.object({ day: z.iso.date(), calls: z.int().min(0) })).meta({
    description: "By day (UTC), the oldest first; today is the last",
  }),
}).meta({ id: "Usage" });
export type Usage = z.infer<typeof Usage>;

/** The days that count on the day of `now`, the oldest first. */
function daysUntil(now: Date): string[] {
  return Array.from(
    { length: USAGE_DAYS },
    (_, index) => dayOf(new Date(now.getTime() - (USAGE_DAYS - 1 - index) * DAY_MS)),
  );
}

function usageOf(days: readonly string[], counted: ReadonlyMap<string, number>): Usage {
  const shown = days.map((day) => ({ day, calls: counted.get(day) ?? 0 }));
  return { total: shown.reduce((sum, { calls }) => sum + calls, 0), days: shown };
}

/** Reads how many calls each of `names` had, by day and in all. */
export async function readUsage(
  sql: Queryable,
  names: readonly string[],
  now: Date,
): Promise<Map<string, Usage>> {
  if (names.length === 0) return new Map();
  const days = daysUntil(now);
  const rows = await sql<{ server: string; day: string; calls: number }[]>`
    select server, to_char(day, 'YYYY-MM-DD') as day, calls::float8 as calls from server_calls
    where server in ${sql([...names])} and day between ${days[0]!} and ${days.at(-1)!}`;
  const found = new Map(names.map((name) => [name, new Map<string, number>()]));
  for (const { server, day, calls } of rows) found.get(server)?.set(day, calls);
  return new Map([...found].map(([name, counted]) => [name, usageOf(days, counted)]));
}

/** How many calls of each of `names` failed in the days that count; for their owners. */
export async function readFailures(
  sql: Queryable,
  names: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const days = daysUntil(now);
  const rows = await sql<{ server: string; errors: number }[]>`
    select server, sum(errors)::float8 as errors from server_calls
    where server in ${sql([...names])} and day between ${days[0]!} and ${days.at(-1)!}
    group by server`;
  return new Map(rows.map(({ server, errors }) => [server, errors]));
}

/** The usage of one server. @throws {AppError} `not_found`. */
export async function getUsage(
  deps: Pick<RegistryDeps, "sql" | "now">,
  name: string,
  viewer: Viewer,
): Promise<Usage> {
  await checkReadable(deps.sql, viewer, name);
  return (await readUsage(deps.sql, [name], deps.now())).get(name)!;
}

/** Forgets days that no longer count, and puts what is left into the records, by which lists order. */
export async function sumCalls(sql: Sql, now: Date): Promise<void> {
  const first = daysUntil(now)[0]!;
  await sql`
    delete from server_calls where day < ${dayOf(new Date(now.getTime() - KEPT_DAYS * DAY_MS))}`;
  await sql`
    with summed as (
      select server, least(sum(calls), 2000000000)::int as calls from server_calls
      where day >= ${first} group by server
    ), changed as (
      select name, coalesce(summed.calls, 0) as calls
      from servers left join summed on server = name
      where servers.calls <> coalesce(summed.calls, 0)
      order by name for update of servers skip locked
    )
    update servers set calls = changed.calls from changed where servers.name = changed.name`;
}
