/**
 * Records of calls as the API gives them to a system that collects security events.
 *
 * @module
 */
import { z } from "zod";
import { pageLimit } from "../../numbers.ts";

/** Query of an export. */
export const CallsQuery = z.strictObject({
  after: z.string().regex(/^[0-9]{1,18}$/, "must be the id of a record").optional().meta({
    description: "Records after the one with this `id`: the last that was read",
    example: "104200",
  }),
  since: z.iso.datetime({ offset: true }).transform((value) => new Date(value)).optional().meta({
    description: "Records stored at or after this time (ISO 8601)",
    example: "2026-05-01T00:00:00Z",
  }),
  limit: pageLimit({ max: 10_000, standard: 1_000 }),
});
export type CallsQuery = z.infer<typeof CallsQuery>;

/** A call of a tool: one line of an export. */
export const CallLine = z.object({
  id: z.string().meta({ description: "Rises with every record", example: "104201" }),
  at: z.iso.datetime().meta({ description: "When the call began" }),
  ms: z.number().meta({ description: "Milliseconds until it was answered", example: 41 }),
  node: z.string().meta({ example: "berth-0:8001" }),
  user_id: z.string().nullable().meta({ description: "Null for a caller without a token" }),
  username: z.string().nullable().meta({ description: "As it is now", example: "jane-doe" }),
  server: z.string().meta({ example: "weather" }),
  version: z.string().nullable().meta({ example: "1.2.0" }),
  tool: z.string().meta({ example: "get_forecast" }),
  result: z.enum(["ok", "tool_error", "error", "timeout", "cancelled", "busy", "ended"]),
  session: z.string().meta({ description: "As in log lines; not what clients send" }),
  trace_id: z.string().nullable(),
}).meta({ id: "CallRecord" });
export type CallLine = z.infer<typeof CallLine>;
