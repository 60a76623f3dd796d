/**
 * A receiver of OpenTelemetry's protocol over HTTP with JSON, on loopback.
 *
 * @module
 */
import { z } from "zod";

const Value = z.looseObject({ stringValue: z.string().optional() });
const Attributes = z.array(z.object({ key: z.string(), value: Value }));

const Traces = z.object({
  resourceSpans: z.array(z.object({
    resource: z.object({ attributes: Attributes }),
    scopeSpans: z.array(z.object({
      spans: z.array(z.object({
        traceId: z.string(),
        spanId: z.string(),
        parentSpanId: z.string(),
        name: z.string(),
        kind: z.number(),
        attributes: Attributes,
        links: z.array(z.looseObject({ traceId: z.string(), spanId: z.string() })),
        status: z.looseObject({ code: z.number() }),
      })),
    })),
  })),
});

const Points = z.object({ dataPoints: z.array(z.looseObject({ attributes: Attributes })) });
const Metrics = z.object({
  resourceMetrics: z.array(z.object({
    scopeMetrics: z.array(z.object({
      metrics: z.array(z.looseObject({
        name: z.string(),
        unit: z.string(),
        sum: Points.optional(),
        gauge: Points.optional(),
        histogram: Points.optional(),
      })),
    })),
  })),
});

/** A span as it was received. */
export type ReceivedSpan = z.infer<
  typeof Traces
>["resourceSpans"][number]["scopeSpans"][number]["spans"][number];
export type ReceivedMetric = z.infer<
  typeof Metrics
>["resourceMetrics"][number]["scopeMetrics"][number]["metrics"][number];

/** What was sent so far. */
export interface TelemetryReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** The last of each name. */
  metrics: Map<string, ReceivedMetric>;
  services: Set<string>;
  close(): Promise<void>;
}

/** Starts to receive. */
export function startTelemetryReceiver(): TelemetryReceiver {
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, ReceivedMetric>();
  const services = new Set<string>();
  const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
  const server = Deno.serve(options, async (request) => {
    const body = await request.json();
    const { pathname } = new URL(request.url);
    if (pathname === "/v1/traces") {
      for (const { resource, scopeSpans } of Traces.parse(body).resourceSpans) {
        const name = resource.attributes.find(({ key }) => key === "service.name");
        if (name?.value.stringValue) services.add(name.value.stringValue);
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      }
    } else if (pathname === "/v1/metrics") {
      for (const { scopeMetrics } of Metrics.parse(body).resourceMetrics) {
        for (const metric of scopeMetrics.flatMap((scope) => scope.metrics)) {
          metrics.set(metric.name, metric);
        }
      }
    }
    return Response.json({});
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    spans,
    metrics,
    services,
    close: () => server.shutdown(),
  };
}
