/**
 * What scans found over time, as charts. Labels are HTML, so that they stay readable at any width;
 * each chart says in words what it shows.
 *
 * @module
 */
import type { HistoryEntry } from "../../../registry/scanning/scan_schema.ts";
import { HEIGHT, Legend, Plot, WIDTH } from "./charts.tsx";

/** Names below a chart; more would run into each other. */
const LABELS = 4;

interface Series {
  name: string;
  kind: "all" | "severe";
  values: number[];
}

/** A version where there is little room: they may have 256 characters. */
export function shortVersion({ version }: Pick<HistoryEntry, "version">): string {
  return version.length > 14 ? `${version.slice(0, 13)}…` : version;
}

/**
 * Versions below a chart, at even distances: the first, the last and some between. With `slots`,
 * few of them stand below the middle of their bars.
 */
function Axis({ scans, slots = false }: { scans: readonly HistoryEntry[]; slots?: boolean }) {
  const count = Math.min(LABELS, scans.length);
  const shown = Array.from(
    { length: count },
    (_, index) => scans[Math.round(index * (scans.length - 1) / Math.max(1, count - 1))]!,
  );
  return (
    <p
      class={slots && scans.length <= LABELS ? "chart-labels slots" : "chart-labels"}
      aria-hidden="true"
    >
      {shown.map((scan) => <span>{shortVersion(scan)}</span>)}
    </p>
  );
}

function Line({ series, highest }: { series: Series; highest: number }) {
  const { values, kind } = series;
  const places = values.map((value, index) => ({
    x: index / (values.length - 1) * WIDTH,
    y: HEIGHT - value / highest * HEIGHT,
  }));
  const path = places.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
  return (
    <g class={`series-${kind}`}>
      <path class="line" d={`M${path}`} />
      {values.length > 60
        ? null
        // Lines without length, whose round ends no stretching makes oval.
        : places.map(({ x, y }) => <path class="dot" d={`M${x.toFixed(1)} ${y.toFixed(1)}h0`} />)}
    </g>
  );
}

/** Findings over scans, oldest first: all of them, and those of critical or high severity. */
export function FindingsTrend({ scans }: { scans: readonly HistoryEntry[] }) {
  if (scans.length < 2) return null;
  const series: Series[] = [
    {
      name: "all findings",
      kind: "all",
      values: scans.map(({ summary }) => summary.total_issues_all_scanners),
    },
    {
      name: "critical or high",
      kind: "severe",
      values: scans.map(({ summary }) => summary.critical_issues),
    },
  ];
  const highest = Math.max(1, ...series.flatMap(({ values }) => values));
  const label = `Findings by scan: ${
    scans.map((scan) => {
      const { total_issues_all_scanners: total, critical_issues: severe } = scan.summary;
      return `${total} in ${shortVersion(scan)}, ${severe} critical or high`;
    }).join("; ")
  }`;
  return (
    <figure class="chart trend">
      <Plot highest={String(highest)} lowest="0" label={label}>
        {series.map((one) => <Line series={one} highest={highest} />)}
      </Plot>
      <Axis scans={scans} />
      <figcaption>
        Findings by scan:
        {series.map(({ kind, name }) => (
          <span class="legend">
            <svg viewBox="0 0 20 10" width="20" height="10" class={`series-${kind}`} aria-hidden>
              <path class="line" d="M1 5H19" />
            </svg>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** What each scan found that the one before had not, above the line, and what was fixed, below. */
export function ChangesTrend({ scans }: { scans: readonly HistoryEntry[] }) {
  const changed = scans.filter(({ previous }) => previous !== null);
  if (changed.every((scan) => scan.new_issues + scan.fixed_issues === 0)) return null;
  const most = (key: "new_issues" | "fixed_issues") => Math.max(...changed.map((s) => s[key]));
  const [up, down] = [most("new_issues"), most("fixed_issues")];
  const scale = HEIGHT / (up + down);
  const step = WIDTH / changed.length;
  const base = up * scale;
  const label = `New and fixed findings by scan: ${
    changed.map((scan) =>
      `${scan.new_issues} new, ${scan.fixed_issues} fixed in ${shortVersion(scan)}`
    ).join("; ")
  }`;
  return (
    <figure class="chart trend">
      <Plot
        highest={up === 0 ? "0" : `+${up}`}
        lowest={down === 0 ? "0" : `−${down}`}
        label={label}
      >
        {changed.map((scan, index) => {
          const width = Math.min(step * 0.6, 60);
          const bar = { x: (index + 0.5) * step - width / 2, width };
          const { new_issues: added, fixed_issues: fixed } = scan;
          return (
            <>
              <rect class="fill-new" {...bar} y={base - added * scale} height={added * scale} />
              <rect class="fill-fixed" {...bar} y={base} height={fixed * scale} />
            </>
          );
        })}
        <path class="axis" d={`M0 ${base}H${WIDTH}`} />
      </Plot>
      <Axis scans={changed} slots />
      <figcaption>
        Compared with the previous scan:
        <Legend kind="new">new</Legend>
        <Legend kind="fixed">fixed</Legend>
      </figcaption>
    </figure>
  );
}
