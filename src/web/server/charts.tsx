/**
 * Charts as inline SVG. Each says in words what it shows.
 *
 * @module
 */
import { SEVERITIES, type Severity } from "../../scan/schema.ts";

const NAMES: Record<Severity, string> = {
  critical: "critical",
  high: "high",
  medium: "medium",
  low: "low",
  info: "for information",
};

/** How findings divide among severities, as one bar. */
export function SeverityBar({ counts }: { counts: Record<Severity, number> }) {
  const total = SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0);
  if (total === 0) return null;
  let from = 0;
  const parts = SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) => {
    // What is there can be seen, however little it is.
    const width = Math.max(6, counts[severity] / total * 600);
    const part = { severity, from, width };
    from += width + 2;
    return part;
  });
  const label = SEVERITIES.filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${NAMES[severity]}`).join(", ");
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${Math.max(from, 1)} 14`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Findings: ${label}`}
      >
        {parts.map(({ severity, from, width }) => (
          <rect class={`fill-${severity}`} x={from} y="0" width={width} height="14" />
        ))}
      </svg>
      <figcaption>
        {SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) => (
          <span class="legend">
            <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
              <rect class={`fill-${severity}`} width="10" height="10" rx="2" />
            </svg>
            {counts[severity]} {NAMES[severity]}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** A letter grade, as an item of a list. */
export function Rating({ label, grade }: { label: string; grade: string }) {
  return (
    <li class="rating">
      <span class={`grade grade-${grade}`}>{grade}</span>
      <span>{label}</span>
    </li>
  );
}

/** A point of a trend. */
export interface TrendPoint {
  label: string;
  value: number;
}

/** A count over versions, oldest first. */
export function Trend({ points, what }: { points: readonly TrendPoint[]; what: string }) {
  if (points.length < 2) return null;
  const highest = Math.max(1, ...points.map(({ value }) => value));
  const width = 640;
  const height = 140;
  const step = (width - 60) / (points.length - 1);
  const place = points.map(({ value, label }, index) => ({
    x: 40 + index * step,
    y: 110 - value / highest * 90,
    value,
    label,
  }));
  const line = place.map(({ x, y }, index) =>
    `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`
  )
    .join("");
  const label = `${what}: ${points.map(({ label, value }) => `${value} in ${label}`).join(", ")}`;
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} class="trend">
        <path class="axis" d="M40 10V110H630" />
        <text x="34" y="24" text-anchor="end">{highest}</text>
        <text x="34" y="114" text-anchor="end">0</text>
        <path class="line" d={line} />
        {place.map(({ x, y, value, label }, index) => (
          <>
            <circle cx={x.toFixed(1)} cy={y.toFixed(1)} r="4">
              <title>{`${label}: ${value}`}</title>
            </circle>
            {points.length > 8 && index % Math.ceil(points.length / 8) !== 0
              ? null
              : <text x={x.toFixed(1)} y="130" text-anchor="middle">{label.slice(0, 12)}</text>}
          </>
        ))}
      </svg>
      <figcaption>{what} by version</figcaption>
    </figure>
  );
}
