/**
 * Figures of parts, for the metrics listener.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import { readDatabase } from "../../database/facts.ts";
import type { Health } from "../../figures/health.ts";
import type { HttpMetrics } from "../../http/plumbing/count_requests.ts";
import { type Family, single } from "../../metrics.ts";
import type { ListenerMetrics } from "./listeners.ts";

/** What this node depends on: 1 for the state in which each part is. */
export function healthFamilies(health: Pick<Health, "read">): Family[] {
  return [{
    name: "berth_part_state",
    help: "State of what this node depends on, by what came of its last use",
    type: "gauge",
    samples: [...health.read()].map(([part, { state }]) => ({ labels: { part, state }, value: 1 })),
  }];
}

/** Whether and how fast the database answers. */
export async function databaseFamilies(sql: Sql): Promise<Family[]> {
  const facts = await readDatabase(sql);
  const gauge = (name: string, help: string, value: number) => single(name, "gauge", help, value);
  const up = gauge("berth_database_up", "Whether the database answers", facts === null ? 0 : 1);
  if (facts === null) return [up];
  return [
    up,
    gauge("berth_database_seconds", "Time until the database answered", facts.ms / 1000),
    gauge("berth_database_bytes", "Size of the database", facts.bytes),
  ];
}

/** Failures by code, and what limits refused. */
export function failureFamilies(listeners: ListenerMetrics): Family[] {
  const all = Object.entries(listeners) as [string, HttpMetrics][];
  return [
    {
      name: "berth_failures_total",
      help: "Requests answered with a failure, by its code",
      type: "counter",
      samples: all.flatMap(([listener, { failures }]) =>
        [...failures].map(([code, value]) => ({ labels: { listener, code }, value }))
      ),
    },
    {
      name: "berth_limited_total",
      help: "Requests refused by a limit",
      type: "counter",
      samples: all.flatMap(([listener, { limited }]) =>
        [...limited].map(([limit, value]) => ({ labels: { listener, limit }, value }))
      ),
    },
  ];
}
