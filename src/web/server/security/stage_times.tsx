/**
 * How long each stage of a scan took, as bars.
 *
 * @module
 */
import type { StageView } from "./stages.ts";

/** Milliseconds as text: below a second in whole milliseconds, else in tenths of seconds. */
function duration(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** The bars, each beside what it says. */
export function StageTimes({ stages }: { stages: readonly StageView[] }) {
  const longest = Math.max(1, ...stages.map(({ milliseconds }) => milliseconds));
  const total = stages.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  return (
    <figure class="chart" aria-labelledby="stage-times">
      <figcaption id="stage-times">Time per stage, {duration(total)} in total</figcaption>
      <ol class="bars">
        {stages.map(({ title, milliseconds }) => (
          <li>
            <span>{title}</span>
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect
                // What took any time can be seen.
                width={Math.max(0.5, milliseconds / longest * 100).toFixed(2)}
                height="1"
              />
            </svg>
            <span class="nowrap">{duration(milliseconds)}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
