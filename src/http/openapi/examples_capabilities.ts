/**
 * An example of a server that administrators decide on.
 *
 * @module
 */
import type { CapabilityCase } from "../../registry/capabilities/schema.ts";

export const CASE_EXAMPLE: CapabilityCase = {
  name: "warehouse",
  version: "1.2.0",
  author: "acme",
  owner: "jane-doe",
  scan_status: "passed",
  updated_at: "2026-05-01T12:00:07.000Z",
  state: "waiting",
  capabilities: ["sql"],
  runs: [{ kind: "sql", tools: ["run_query"], file: "server.py", line: 31 }],
  answer: null,
};
