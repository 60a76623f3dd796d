/**
 * Bars: what is measured, what it must reach, and the table that says so.
 *
 * @module
 */

/** How much is measured. */
export interface Scale {
  /** So little that a defect of a measurement shows soon; figures are rough. */
  quick: boolean;
  /** How often each side is measured, by turns. */
  rounds: number;
}

/** One line of the table. */
export interface Row {
  what: string;
  berth: string;
  /** What it is held against; empty where the bar is a figure. */
  peer: string;
  ratio: string;
  bar: string;
  /** Null where it was not measured. */
  isReached: boolean | null;
}

/** What one `--only` name measures. */
export interface Bar {
  name: string;
  measure(scale: Scale): Promise<Row[]>;
}

/** The middle of `values`. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

/** The value that `share` of all are below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))]!;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A row of times, of which Berth's must be `times` shorter; `peer` is null where there is none. */
export function faster(
  what: string,
  { berth, peer, times }: { berth: number[]; peer: number[] | null; times: number },
): Row {
  const [own, other] = [median(berth), peer === null ? null : median(peer)];
  return {
    what,
    berth: `${own.toFixed(0)} ms`,
    peer: other === null ? "TEST_MCP_PYTHON is not set" : `${other.toFixed(0)} ms`,
    ratio: other === null ? "" : `${(other / own).toFixed(1)} times faster`,
    bar: times === 1 ? "faster" : `${times} times faster`,
    isReached: other === null ? null : other / own >= times,
  };
}

/** A row of a figure that must be at most `max`. */
export function atMost(
  what: string,
  { berth, max, unit, peer = "" }: { berth: number; max: number; unit: string; peer?: string },
): Row {
  const bar = `at most ${max} ${unit}`;
  return {
    what,
    berth: `${berth.toFixed(0)} ${unit}`,
    peer,
    ratio: "",
    bar,
    isReached: berth <= max,
  };
}

/** A row of what Berth does not have. */
export function notBuilt(what: string, bar: string): Row {
  return { what, berth: "not built", peer: "", ratio: "", bar, isReached: null };
}

function stateOf({ isReached }: Row): string {
  if (isReached === null) return "–";
  return isReached ? "reached" : "missed";
}

/** The rows as a table of Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const head = ["what", "Berth", "peer", "ratio", "bar", ""];
  const cells = [
    head,
    ...rows.map((row) => [row.what, row.berth, row.peer, row.ratio, row.bar, stateOf(row)]),
  ];
  const widths = head.map((_, n) => Math.max(3, ...cells.map((row) => row[n]!.length)));
  const line = (row: string[]) =>
    `| ${row.map((cell, n) => cell.padEnd(widths[n]!)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(cells[0]!), rule, ...cells.slice(1).map(line)].join("\n");
}
