/**
 * How sessions start, as operators see it.
 *
 * @module
 */
import { createHistogram, type Histogram, observe } from "../../metrics.ts";
import { failSpan, inSpan } from "../../tracing.ts";

/**
 * What a session started from: a session that had started before its client came, an interpreter that
 * had booted, a host with room, or nothing.
 */
export const START_KINDS = ["spare", "warm", "shared", "cold"] as const;
export type StartKind = (typeof START_KINDS)[number];

/** `refused` by the profile, `raised` by the server's code, `failed` for want of an interpreter. */
export const START_RESULTS = ["started", "refused", "raised", "failed"] as const;
export type StartResult = (typeof START_RESULTS)[number];

/** Starts since the node's start. */
export interface StartMetrics {
  results: Record<StartKind, Record<StartResult, number>>;
  /** How long those took that succeeded. */
  seconds: Record<StartKind, Histogram>;
}

/** Counters at zero. */
export function createStartMetrics(): StartMetrics {
  const ofKind = <T>(make: () => T) =>
    Object.fromEntries(START_KINDS.map((kind) => [kind, make()])) as Record<StartKind, T>;
  return {
    results: ofKind(() => ({ started: 0, refused: 0, raised: 0, failed: 0 })),
    seconds: ofKind(() => createHistogram()),
  };
}

/** What a start that goes on learns of itself. */
export interface Start {
  kind: StartKind;
}

/** Runs `work`, which starts a session of `server`, and counts what comes of it. */
export async function countedStart<T extends { kind: "running" | "refused" | "raised" }>(
  metrics: StartMetrics | undefined,
  server: string,
  work: (start: Start) => Promise<T>,
): Promise<T> {
  const start: Start = { kind: "cold" };
  return await inSpan(
    { name: "session.start", attributes: { "berth.server": server } },
    async (span) => {
      const began = performance.now();
      let result: StartResult = "failed";
      try {
        const launched = await work(start);
        result = launched.kind === "running" ? "started" : launched.kind;
        return launched;
      } finally {
        span.setAttributes({ "berth.start": start.kind, "berth.result": result });
        if (result !== "started") failSpan(span, result);
        if (metrics !== undefined) {
          metrics.results[start.kind][result] += 1;
          const seconds = (performance.now() - began) / 1000;
          if (result === "started") observe(metrics.seconds[start.kind], seconds);
        }
      }
    },
  );
}
