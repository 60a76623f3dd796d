/**
 * How much a server was used lately: a number, and a small line of its days.
 *
 * @module
 */
import type { Usage } from "../../registry/usage/history.ts";

const WIDTH = 72;
const HEIGHT = 18;
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** The line from left to right, the highest day at the top. */
function pathOf(days: Usage["days"]): string {
  const most = Math.max(...days.map(({ calls }) => calls));
  return days.map(({ calls }, index) => {
    const x = index * WIDTH / (days.length - 1);
    const y = HEIGHT - 1 - calls / most * (HEIGHT - 2);
    return `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }).join("");
}

/** Calls of the last 30 days; nothing where there were none. */
export function CallsLine({ usage }: { usage: Usage }) {
  const { total, days } = usage;
  if (total === 0) return null;
  const words = `${total.toLocaleString("en")} ${total === 1 ? "call" : "calls"} in 30 days`;
  return (
    <span class="calls" title={words}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width={WIDTH}
        height={HEIGHT}
        aria-hidden="true"
      >
        <path d={pathOf(days)} />
      </svg>
      <span aria-hidden="true">{SHORT.format(total)}</span>
      <span class="visually-hidden">{words}</span>
    </span>
  );
}
