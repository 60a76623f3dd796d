/**
 * A chart over time: a drawing, a sentence that says what it shows, and a table of its values.
 *
 * @module
 */
import { Table } from "../layout/parts.tsx";
import { HEIGHT, Plot, WIDTH } from "../server/history/charts.tsx";

/** Times below a chart; more would run into each other on phones. */
const LABELS = 4;

/** Values of one kind, one for each time; null where nothing was gathered. */
export interface Series {
  name: string;
  values: readonly (number | null)[];
}

/** Lines with one unit, drawn on one scale. */
export interface TimeChartView {
  id: string;
  title: string;
  /** How values add up in the summary: `count` to a total, `amount` and `mean` to no sum. */
  kind: "count" | "amount" | "mean";
  series: readonly Series[];
  /** A value in words. */
  text: (value: number) => string;
}

/** The times of a chart, and how they are written below it and in its table. */
export interface TimeAxis {
  times: readonly Date[];
  short: (time: Date) => string;
  long: (time: Date) => string;
  /** The whole span in words, after "in": `the last hour`. */
  span: string;
}

/** The line of a series, broken where there are no values. */
function pathsOf(values: Series["values"], highest: number): string[] {
  const paths: string[] = [];
  let current = "";
  let points = 0;
  const finish = () => {
    // A value alone is a dot: a line without length.
    if (current !== "") paths.push(points === 1 ? `${current}h0` : current);
    [current, points] = ["", 0];
  };
  values.forEach((value, index) => {
    if (value === null) return finish();
    const x = values.length === 1 ? 0 : index / (values.length - 1) * WIDTH;
    const y = HEIGHT - value / highest * HEIGHT;
    current += `${current === "" ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    points++;
  });
  finish();
  return paths;
}

/** What a series shows, in words. */
function summaryOf({ name, values }: Series, view: TimeChartView, axis: TimeAxis): string {
  const known = values.filter((value) => value !== null);
  const most = Math.max(...known);
  const when = axis.long(axis.times[values.indexOf(most)]!);
  if (most === 0) return `${name}: none`;
  const peak = `most at ${when}: ${view.text(most)}`;
  if (view.kind === "count") {
    return `${name}: ${view.text(known.reduce((sum, value) => sum + value, 0))}, ${peak}`;
  }
  return `${name}: ${view.text(known.at(-1)!)} at the end, ${peak}`;
}

function Values({ view, axis }: { view: TimeChartView; axis: TimeAxis }) {
  const { series, title, text } = view;
  const rows = axis.times.map((time, index) => ({
    time,
    values: series.map(({ values }) => values[index] ?? null),
  })).filter(({ values }) => values.some((value) => value !== null && value !== 0)).toReversed();
  return (
    <details>
      <summary>
        Values<span class="visually-hidden">{` of ${title}`}</span>
      </summary>
      {rows.length === 0 ? <p class="quiet">No values other than zero.</p> : (
        <Table
          label={`${title} over time`}
          dense
          columns={["From (UTC)", ...series.map(({ name }) => name)]}
        >
          {rows.map(({ time, values }) => (
            <tr>
              <th scope="row" class="nowrap">{axis.long(time)}</th>
              {values.map((value) => <td>{value === null ? "" : text(value)}</td>)}
            </tr>
          ))}
        </Table>
      )}
    </details>
  );
}

function Drawing(
  { view, axis, summary }: { view: TimeChartView; axis: TimeAxis; summary: string },
) {
  const { series, title, text } = view;
  const values = series.flatMap((one) => one.values.filter((value) => value !== null));
  const most = Math.max(...values);
  const count = Math.min(LABELS, axis.times.length);
  const shown = Array.from(
    { length: count },
    (_, index) => axis.times[Math.round(index * (axis.times.length - 1) / Math.max(1, count - 1))]!,
  );
  return (
    <figure class="chart trend">
      <Plot highest={text(most)} lowest="0" label={`${title}. ${summary}`}>
        {series.map((one, index) => (
          <g class={`over-time-${index + 1}`}>
            {pathsOf(one.values, most || 1).map((path) => <path class="line" d={path} />)}
          </g>
        ))}
      </Plot>
      <p class="chart-labels" aria-hidden="true">
        {shown.map((time) => <span>{axis.short(time)}</span>)}
      </p>
      {series.length === 1 ? null : (
        <figcaption>
          {series.map(({ name }, index) => (
            <span class="legend">
              <svg
                viewBox="0 0 24 10"
                width="24"
                height="10"
                class={`over-time-${index + 1}`}
                aria-hidden="true"
              >
                <path class="line" d="M1 5H23" />
              </svg>
              {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}

/** The chart with its heading, its summary and its table. */
export function TimeChart({ view, axis }: { view: TimeChartView; axis: TimeAxis }) {
  const { id, title, series } = view;
  const known = series.filter(({ values }) => values.some((value) => value !== null));
  const summary = known.map((one) => summaryOf(one, view, axis)).join("; ");
  return (
    <section class="over-time" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {known.length === 0 ? <p class="quiet">Nothing was measured in {axis.span}.</p> : (
        <>
          <Drawing view={{ ...view, series: known }} axis={axis} summary={summary} />
          <p class="quiet summary">{summary}.</p>
          <Values view={{ ...view, series: known }} axis={axis} />
        </>
      )}
    </section>
  );
}
