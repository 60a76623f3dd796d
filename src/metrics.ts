/**
 * Figures of this node since its start, and their text for Prometheus (exposition format 0.0.4,
 * https://prometheus.io/docs/instrumenting/exposition_formats/). Plain values: no input or output.
 *
 * @module
 */

/** How many of the observed values were at most as large as each bound, and their sum. */
export interface Histogram {
  readonly bounds: readonly number[];
  /** As many as bounds; each counts the values up to its bound. */
  readonly counts: number[];
  count: number;
  sum: number;
  /** Told of each value, where somebody else counts too. */
  onValue?: (value: number) => void;
}

/** Upper bounds for durations of requests and calls, in seconds. */
const SECONDS_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** A histogram of nothing yet; `bounds` rise. */
export function createHistogram(bounds: readonly number[] = SECONDS_BOUNDS): Histogram {
  return { bounds, counts: bounds.map(() => 0), count: 0, sum: 0 };
}

/** Adds a value. */
export function observe(histogram: Histogram, value: number): void {
  histogram.count += 1;
  histogram.sum += value;
  histogram.bounds.forEach((bound, at) => {
    if (value <= bound) histogram.counts[at]! += 1;
  });
  histogram.onValue?.(value);
}

/** Names and values that tell samples of one family apart. */
export type Labels = Readonly<Record<string, string>>;

/** Figures of one name. Names end with their unit, those of counters with `_total`. */
export type Family =
  & { name: string; help: string }
  & (
    | { type: "counter" | "gauge"; samples: readonly { labels?: Labels; value: number }[] }
    | { type: "histogram"; samples: readonly { labels?: Labels; value: Histogram }[] }
  );

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\n": "\\n", '"': '\\"' };

function labelText(labels: Labels): string {
  const parts = Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\\n"]/g, (one) => ESCAPES[one]!)}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

function histogramLines(name: string, labels: Labels, histogram: Histogram): string[] {
  const bucket = (le: string, count: number) =>
    `${name}_bucket${labelText({ ...labels, le })} ${count}`;
  return [
    ...histogram.bounds.map((bound, at) => bucket(String(bound), histogram.counts[at]!)),
    bucket("+Inf", histogram.count),
    `${name}_sum${labelText(labels)} ${histogram.sum}`,
    `${name}_count${labelText(labels)} ${histogram.count}`,
  ];
}

function familyLines(family: Family): string[] {
  const { name, help, type } = family;
  return [
    `# HELP ${name} ${help.replace(/[\\\n]/g, (one) => ESCAPES[one]!)}`,
    `# TYPE ${name} ${type}`,
    ...(family.type === "histogram"
      ? family.samples.flatMap(({ labels = {}, value }) => histogramLines(name, labels, value))
      : family.samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`)),
  ];
}

/** The figures as Prometheus reads them. */
export function metricsText(families: readonly Family[]): string {
  return families.flatMap(familyLines).map((line) => `${line}\n`).join("");
}

/** Samples of counts, by a label. */
export function byLabel(name: string, counts: Readonly<Record<string, number>>) {
  return Object.entries(counts).map(([label, value]) => ({ labels: { [name]: label }, value }));
}

/** A family of one figure. */
export function single(
  name: string,
  type: "counter" | "gauge",
  help: string,
  value: number,
): Family {
  return { name, help, type, samples: [{ value }] };
}
