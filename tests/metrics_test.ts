import { assertEquals } from "@std/assert";
import { createHistogram, metricsText, observe } from "../src/metrics.ts";

Deno.test("observe() counts a value in every bucket that holds it", () => {
  const histogram = createHistogram([0.1, 1, 10]);
  for (const value of [0.1, 0.5, 3, 1000]) observe(histogram, value);
  assertEquals(histogram.counts, [1, 2, 3]);
  assertEquals([histogram.count, histogram.sum], [4, 1003.6]);
});

Deno.test("metricsText() writes what Prometheus reads, whatever labels hold", () => {
  const histogram = createHistogram([0.5]);
  observe(histogram, 0.25);
  observe(histogram, 2);
  const text = metricsText([
    { name: "up", help: "Two\nlines \\", type: "gauge", samples: [{ value: 1 }] },
    {
      name: "ended_total",
      help: "Ended",
      type: "counter",
      samples: [{ labels: { reason: 'a"b\\c\nd', kind: "x" }, value: 2 }],
    },
    { name: "none_total", help: "None yet", type: "counter", samples: [] },
    {
      name: "took_seconds",
      help: "Took",
      type: "histogram",
      samples: [{ labels: { listener: "registry" }, value: histogram }],
    },
  ]);
  assertEquals(
    text,
    [
      "# HELP up Two\\nlines \\\\",
      "# TYPE up gauge",
      "up 1",
      "# HELP ended_total Ended",
      "# TYPE ended_total counter",
      'ended_total{reason="a\\"b\\\\c\\nd",kind="x"} 2',
      "# HELP none_total None yet",
      "# TYPE none_total counter",
      "# HELP took_seconds Took",
      "# TYPE took_seconds histogram",
      'took_seconds_bucket{listener="registry",le="0.5"} 1',
      'took_seconds_bucket{listener="registry",le="+Inf"} 2',
      'took_seconds_sum{listener="registry"} 2.25',
      'took_seconds_count{listener="registry"} 2',
      "",
    ].join("\n"),
  );
});
