/**
 * Examples about operating an installation, for the OpenAPI document.
 *
 * @module
 */
import type { CallLine } from "../../audit/calls/schema.ts";
import type { NodeStatus } from "../../figures/status.ts";

export const CALL_EXAMPLE: CallLine = {
  id: "104201",
  at: "2026-05-01T12:00:00.000Z",
  ms: 41.2,
  node: "berth-0:8001",
  user_id: "u-81f3",
  username: "jane-doe",
  server: "weather",
  version: "1.2.0",
  tool: "get_forecast",
  result: "ok",
  session: "0f9d6c1e-7c55-4b3f-9a54-2f3e6f1d2c3b",
  trace_id: "0af7651916cd43dd8448eb211c80319c",
};

export const STATUS_EXAMPLE: NodeStatus = {
  node: {
    name: "berth-0:8000",
    version: "0.1.0",
    role: "all",
    started_at: "2026-05-01T08:00:00.000Z",
    draining: false,
  },
  checks: { node: "ok", database: "ok", storage: "ok", sessions: "ok" },
  parts: {
    code_host: {
      state: "works",
      at: "2026-05-01T11:58:00.000Z",
      detail: "It answered with 200",
    },
  },
  memory: { main_bytes: 241_000_000, host_bytes: 520_000_000, limit_bytes: 8_589_934_592 },
  sessions: { live: 4, parked: 2, spare: 1, warm: 2, max: 27 },
  calls: { ok: 1204, tool_error: 12, error: 3, timeout: 1, cancelled: 0, busy: 0, ended: 0 },
  call_records: { stored: 1220, dropped: 0 },
  scans: { running: 1, waiting: 0 },
  database: {
    kind: "postgres",
    version: "16.4",
    migration: "0052_call_records.sql",
    bytes: 73_400_320,
    ms: 2,
  },
  nodes: [{ name: "berth-0:8000", seen_at: "2026-05-01T11:59:00.000Z", sessions: 4 }],
  jobs: [{
    name: "archives",
    node: "berth-0:8000",
    began_at: "2026-05-01T11:30:00.000Z",
    ended_at: "2026-05-01T11:30:01.000Z",
    removed: 2,
    failure: null,
  }],
};
