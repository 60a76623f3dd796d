/**
 * A node as administrators see it, in one answer.
 *
 * @module
 */
import { z } from "zod";
import type { Queryable } from "../database/client.ts";

const Amount = z.number().min(0);

/** What a node is and does now. */
export const NodeStatus = z.object({
  node: z.object({
    name: z.string().meta({ example: "berth-0:8000" }),
    version: z.string(),
    role: z.enum(["all", "registry", "worker"]),
    started_at: z.iso.datetime(),
    draining: z.boolean(),
  }),
  checks: z.record(z.string(), z.enum(["ok", "failed"])).meta({
    description: "What /readyz of this node asks for",
  }),
  parts: z.record(
    z.string(),
    z.object({
      state: z.enum(["works", "fails", "weak", "unused", "off"]),
      at: z.iso.datetime().nullable(),
      detail: z.string(),
    }),
  ).meta({ description: "What this node depends on, by what came of the last time it was used" }),
  memory: z.object({
    main_bytes: Amount,
    host_bytes: Amount,
    limit_bytes: Amount.meta({ description: "Of the container, or the machine" }),
  }),
  sessions: z.object({
    live: Amount,
    parked: Amount,
    spare: Amount,
    warm: Amount,
    max: Amount,
  }).nullable().meta({ description: "Null on a node that runs no servers" }),
  calls: z.record(z.string(), Amount).meta({ description: "Since the start, by their result" }),
  call_records: z.object({ stored: Amount, dropped: Amount }).nullable(),
  scans: z.object({ running: Amount, waiting: Amount }),
  database: z.object({
    kind: z.enum(["embedded", "postgres"]),
    version: z.string(),
    migration: z.string(),
    bytes: Amount,
    ms: Amount,
  }).nullable().meta({ description: "Null while it does not answer" }),
  nodes: z.array(z.object({ name: z.string(), seen_at: z.iso.datetime(), sessions: Amount })).meta({
    description: "Nodes that wrote figures in the last ten minutes",
  }),
  jobs: z.array(z.object({
    name: z.string().meta({ example: "archives" }),
    node: z.string(),
    began_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable().meta({ description: "Null while it runs" }),
    removed: Amount,
    failure: z.string().nullable(),
  })).meta({ description: "Work that one node does for all: its last run" }),
}).meta({ id: "NodeStatus" });
export type NodeStatus = z.infer<typeof NodeStatus>;

/** The nodes that wrote figures lately, as all nodes see them. */
export async function readNodes(sql: Queryable): Promise<NodeStatus["nodes"]> {
  const rows = await sql<{ name: string; seen_at: Date; sessions: number }[]>`
    select distinct on (node) node as name, at as seen_at, sessions
    from node_figures where step = 'minute' and at > now() - interval '10 minutes'
    order by node, at desc`;
  return rows.map(({ seen_at, ...rest }) => ({ ...rest, seen_at: seen_at.toISOString() }));
}
