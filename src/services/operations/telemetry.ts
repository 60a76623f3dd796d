/**
 * The figures of the metrics listener, also by OpenTelemetry: Deno exports them where the operator has
 * set `OTEL_DENO`.
 *
 * @module
 */
import { metrics, type Observable } from "@opentelemetry/api";
import type { Family, Histogram, Labels } from "../../metrics.ts";

type Amounts = Exclude<Family, { type: "histogram" }>;

const meter = metrics.getMeter("berth");

/** By the names of OpenTelemetry, from which a collector makes those of Prometheus again. */
function instrumentName(name: string): string {
  return name.replace(/_total$/, "").replace(/_(seconds|bytes)$/, "");
}

function unitOf(name: string): string {
  if (/_seconds$/.test(name)) return "s";
  return /_bytes$/.test(name) ? "By" : "";
}

function observableOf({ name, help, type }: Amounts): Observable {
  const options = { description: help, unit: unitOf(name) };
  return type === "counter"
    ? meter.createObservableCounter(instrumentName(name), options)
    : meter.createObservableGauge(instrumentName(name), options);
}

function tellOf(name: string, help: string, labels: Labels, histogram: Histogram): void {
  const instrument = meter.createHistogram(instrumentName(name), {
    description: help,
    unit: unitOf(name),
    advice: { explicitBucketBoundaries: [...histogram.bounds] },
  });
  histogram.onValue = (value) => instrument.record(value, labels);
}

/** Has what `read` gives exported from now on. */
export async function exportFigures(read: () => Promise<Family[]>): Promise<void> {
  const known = new Map<string, Observable>();
  for (const family of await read()) {
    if (family.type !== "histogram") known.set(family.name, observableOf(family));
    else {
      for (const { labels = {}, value } of family.samples) {
        tellOf(family.name, family.help, labels, value);
      }
    }
  }
  meter.addBatchObservableCallback(async (result) => {
    for (const family of await read()) {
      const observable = known.get(family.name);
      if (family.type === "histogram" || observable === undefined) continue;
      for (const { labels = {}, value } of family.samples) {
        result.observe(observable, value, labels);
      }
    }
  }, [...known.values()]);
}
