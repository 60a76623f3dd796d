/**
 * Charts as inline SVG. Each says in words what it shows.
 *
 * @module
 */
import type { Child } from "hono/jsx";
import { SEVERITIES, type Severity } from "../../../scan/schema.ts";

/** Size of a drawing, in its own units: it is stretched. */
export const WIDTH = 600;
export const HEIGHT = 100;

const NAMES: Record<Severity, string> = {
  critical: "critical",
  high: "high",
  medium: "medium",
  low: "low",
  info: "info",
};

/** What a colour of a chart stands for. */
export function Legend({ kind, children }: { kind: Severity | "new" | "fixed"; children: Child }) {
  return (
    <span class="legend">
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        <rect class={`fill-${kind}`} width="10" height="10" rx="2" />
      </svg>
      {children}
    </span>
  );
}

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
          <Legend kind={severity}>{counts[severity]} {NAMES[severity]}</Legend>
        ))}
      </figcaption>
    </figure>
  );
}

/** The drawing of a chart, between the ends of its scale. */
export function Plot(
  { highest, lowest, label, children }: {
    highest: string;
    lowest: string;
    /** All that the chart shows, for those who do not see it. */
    label: string;
    children: Child;
  },
) {
  return (
    <div class="plot">
      <span class="highest" aria-hidden="true">{highest}</span>
      <span class="lowest" aria-hidden="true">{lowest}</span>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {children}
      </svg>
    </div>
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
