/**
 * Figures in the database: rows of minutes and of hours, each kept for a bounded time.
 *
 * @module
 */
import type { Sql } from "../database/client.ts";
import { AMOUNTS, COUNTS, type Figures } from "./figures.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const STEPS = [
  { step: "minute", ms: MINUTE_MS, keptMs: DAY_MS + 2 * HOUR_MS },
  { step: "hour", ms: HOUR_MS, keptMs: 92 * DAY_MS },
] as const;

/** A span of time that is shown, in parts of equal length. */
export interface Span {
  step: "minute" | "hour";
  /** Length of a part, in milliseconds. */
  partMs: number;
  parts: number;
}

/** The spans that charts offer. */
export const SPANS = {
  hour: { step: "minute", partMs: MINUTE_MS, parts: 60 },
  day: { step: "minute", partMs: 15 * MINUTE_MS, parts: 96 },
  week: { step: "hour", partMs: 2 * HOUR_MS, parts: 84 },
  quarter: { step: "hour", partMs: DAY_MS, parts: 90 },
} as const satisfies Record<string, Span>;
export type SpanName = keyof typeof SPANS;

/** The figures of all nodes in one part of a span; null where nothing was gathered. */
export interface Part {
  from: Date;
  figures: Figures | null;
}

function startOf(time: Date, ms: number): Date {
  return new Date(Math.floor(time.getTime() / ms) * ms);
}

/** Adds what a node gathered at `now` to the rows of its minute and its hour. */
export async function addFigures(
  sql: Sql,
  { node, now, figures }: { node: string; now: Date; figures: Figures },
): Promise<void> {
  const rows = STEPS.map(({ step, ms }) => ({ node, step, at: startOf(now, ms), ...figures }));
  const merged = [
    ...AMOUNTS.map((name) =>
      sql`${sql(name)} = greatest(node_figures.${sql(name)}, excluded.${sql(name)})`
    ),
    ...COUNTS.map((name) => sql`${sql(name)} = node_figures.${sql(name)} + excluded.${sql(name)}`),
  ].reduce((all, one) => sql`${all}, ${one}`);
  await sql`
    insert into node_figures ${sql(rows)}
    on conflict (step, at, node) do update set ${merged}`;
}

/** Removes rows that are too old to be shown. */
export async function removeOldFigures(sql: Sql, now: Date): Promise<void> {
  for (const { step, keptMs } of STEPS) {
    await sql`
      delete from node_figures
      where step = ${step} and at < ${new Date(now.getTime() - keptMs)}`;
  }
}

/** When the parts of `span` begin, the oldest first; `now` is in the last. */
function partsUntil({ partMs, parts }: Span, now: Date): Date[] {
  const last = startOf(now, partMs).getTime();
  return Array.from({ length: parts }, (_, index) => new Date(last - (parts - 1 - index) * partMs));
}

/**
 * The figures of all nodes together. Counts add up; of an amount, each node's highest of a part adds
 * to those of the others.
 */
export async function readFigures(sql: Sql, span: Span, now: Date): Promise<Part[]> {
  const parts = partsUntil(span, now);
  const first = parts[0]!;
  const highest = AMOUNTS.map((name) => sql`max(${sql(name)}) as ${sql(name)}`)
    .reduce((all, one) => sql`${all}, ${one}`);
  const summed = COUNTS.map((name) => sql`sum(${sql(name)}) as ${sql(name)}`)
    .reduce((all, one) => sql`${all}, ${one}`);
  const total = [...AMOUNTS, ...COUNTS]
    .map((name) => sql`sum(${sql(name)})::float8 as ${sql(name)}`)
    .reduce((all, one) => sql`${all}, ${one}`);
  const rows = await sql<({ part: number } & Figures)[]>`
    select part, ${total} from (
      select node,
        floor(extract(epoch from at - ${first}) * 1000 / ${span.partMs}::float8)::int as part,
        ${highest}, ${summed}
      from node_figures where step = ${span.step} and at >= ${first} and at <= ${now}
      group by node, part
    ) by_node group by part`;
  const found = new Map(rows.map(({ part, ...figures }) => [part, figures]));
  return parts.map((from, index) => ({ from, figures: found.get(index) ?? null }));
}

/** How many users there were at the end of each part, of those who are still here. */
export async function readUsers(sql: Sql, span: Span, now: Date): Promise<number[]> {
  const parts = partsUntil(span, now);
  const first = parts[0]!;
  const rows = await sql<{ part: number; users: number }[]>`
    select greatest(-1, floor(
        extract(epoch from created_at - ${first}) * 1000 / ${span.partMs}::float8
      ))::int as part, count(*)::int as users
    from users group by part`;
  const joined = new Map(rows.map(({ part, users }) => [part, users]));
  let users = joined.get(-1) ?? 0;
  return parts.map((_, index) => users += joined.get(index) ?? 0);
}
