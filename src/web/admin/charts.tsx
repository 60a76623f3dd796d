/**
 * The administrators' charts: what all nodes did over an hour, a day, a week or three months.
 *
 * @module
 */
import type { Figures } from "../../figures/figures.ts";
import { type Part, readFigures, readUsers, type SpanName, SPANS } from "../../figures/store.ts";
import type { UserRequest } from "../layout/signed_in.tsx";
import { type TimeAxis, TimeChart, type TimeChartView } from "./time_chart.tsx";

const NAMES: Record<SpanName, { link: string; span: string; part: string }> = {
  hour: { link: "Hour", span: "the last hour", part: "a minute" },
  day: { link: "Day", span: "the last day", part: "15 minutes" },
  week: { link: "Week", span: "the last week", part: "two hours" },
  quarter: { link: "Three months", span: "the last three months", part: "a day" },
};

const format = (options: Intl.DateTimeFormatOptions) => {
  const made = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
  return (time: Date) => made.format(time);
};
const CLOCK = format({ hour: "2-digit", minute: "2-digit" });
const DAY = format({ day: "numeric", month: "short" });
const DAY_AND_CLOCK = format({
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

const AXES: Record<SpanName, Pick<TimeAxis, "short" | "long">> = {
  hour: { short: CLOCK, long: CLOCK },
  day: { short: CLOCK, long: DAY_AND_CLOCK },
  week: { short: DAY, long: DAY_AND_CLOCK },
  quarter: { short: DAY, long: DAY },
};

const whole = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 0 });
const seconds = (value: number) =>
  value < 1000 ? `${whole(value)} ms` : `${(value / 1000).toFixed(1)} s`;

function bytes(value: number): string {
  const mib = value / 2 ** 20;
  return mib < 1024 ? `${whole(mib)} MiB` : `${(mib / 1024).toFixed(1)} GiB`;
}

type Name = keyof Figures;
type Of = (figures: Figures) => number | null;

/** The mean of what took `ms` in all; null where nothing did. */
function mean(ms: Name, ...counts: Name[]): Of {
  return (figures) => {
    const count = counts.reduce((sum, name) => sum + figures[name], 0);
    return count === 0 ? null : figures[ms] / count;
  };
}

interface ChartKind extends Omit<TimeChartView, "series" | "id"> {
  lines: readonly (readonly [name: string, of: Name | Of])[];
}

const CHARTS: readonly ChartKind[] = [
  {
    title: "Sessions",
    kind: "amount",
    text: whole,
    lines: [["Live", "sessions"], ["Parked", "parked"]],
  },
  { title: "Sessions started", kind: "count", text: whole, lines: [["Started", "starts"]] },
  { title: "Calls", kind: "count", text: whole, lines: [["Calls", "calls"]] },
  {
    title: "Time of a call, on average",
    kind: "mean",
    text: seconds,
    lines: [["Time", mean("call_ms", "calls")]],
  },
  {
    title: "Errors",
    kind: "count",
    text: whole,
    lines: [
      ["Calls with an error", "call_errors"],
      ["Sessions ended by a fault", "session_faults"],
      ["Requests that failed here (5xx)", "server_errors"],
      ["Requests over a limit (429)", "refused_requests"],
    ],
  },
  {
    title: "Memory",
    kind: "amount",
    text: bytes,
    lines: [["Berth", "main_bytes"], ["Session hosts", "host_bytes"]],
  },
  {
    title: "Scans",
    kind: "count",
    text: whole,
    lines: [
      ["Passed", "scans_passed"],
      ["Failed", "scans_failed"],
      ["Unfinished", "scans_unfinished"],
    ],
  },
  {
    title: "Time of a scan, on average",
    kind: "mean",
    text: seconds,
    lines: [["Time", mean("scan_ms", "scans_passed", "scans_failed", "scans_unfinished")]],
  },
];

function viewOf({ lines, ...kind }: ChartKind, parts: readonly Part[], index: number) {
  return {
    ...kind,
    id: `chart-${index + 1}`,
    series: lines.map(([name, of]) => ({
      name,
      values: parts.map(({ figures }) => {
        if (figures === null) return null;
        return typeof of === "string" ? figures[of] : of(figures);
      }),
    })),
  };
}

/** The span that an address asks for: `?span=`; a day when it names none. */
export function spanOf(asked: string | undefined): SpanName {
  return asked !== undefined && Object.hasOwn(SPANS, asked) ? asked as SpanName : "day";
}

/** All charts of a span, with links to the other spans. */
export async function Charts({ request, span }: { request: UserRequest; span: SpanName }) {
  const { links, services: { sql, app } } = request;
  const now = app.now();
  const parts = await readFigures(sql, SPANS[span], now);
  const users = await readUsers(sql, SPANS[span], now);
  const axis = { times: parts.map(({ from }) => from), span: NAMES[span].span, ...AXES[span] };
  const people: TimeChartView = {
    id: "chart-users",
    title: "Users",
    kind: "amount",
    text: whole,
    series: [{ name: "Users", values: users }],
  };
  return (
    <section aria-labelledby="charts">
      <h2 id="charts">Over time</h2>
      <nav aria-label="Span of the charts" class="actions spaced">
        {Object.entries(NAMES).map(([name, { link }]) => (
          <a
            href={`${links.path(`/admin?span=${name}`)}#charts`}
            aria-current={name === span ? "true" : undefined}
            class={name === span ? "button" : "button secondary"}
          >
            {link}
          </a>
        ))}
      </nav>
      <p class="quiet">
        All nodes together. Each point stands for{" "}
        {NAMES[span].part}; times are in UTC. Gaps are times when no node ran, and the last point is
        not complete yet.
      </p>
      <div class="trends">
        {[...CHARTS.map((kind, index) => viewOf(kind, parts, index)), people].map((view) => (
          <TimeChart view={view} axis={axis} />
        ))}
      </div>
    </section>
  );
}
