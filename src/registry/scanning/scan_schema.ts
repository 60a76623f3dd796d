/**
 * A scan as clients see it, while it runs and after.
 *
 * @module
 */
import { z } from "zod";
import { pageLimit } from "../../numbers.ts";
import { STATUS_OF_CODE } from "../../errors.ts";
import type { ErrorCode } from "../../errors.ts";
import { ReportSummary, ScanStatus, StageProgress } from "../../scan/schema.ts";
import { ServerName } from "../schema.ts";

/**
 * Why a scan began: a creation, a change, a request to scan again, a retry after `error`, or other
 * advisories on what the server uses.
 */
export const ScanAction = z.enum(["create", "update", "rescan", "retry", "advisories"]);
export type ScanAction = z.infer<typeof ScanAction>;

/** A refused scan: the parts of the error that the creation or change would have been answered. */
export const ScanFailure = z.object({
  code: z.enum(Object.keys(STATUS_OF_CODE) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  details: z.record(z.string(), z.string()),
  errors: z.array(z.object({ path: z.string(), message: z.string() })),
  request_id: z.string(),
}).meta({ id: "ScanFailure" });
export type ScanFailure = z.infer<typeof ScanFailure>;

/** A scan. */
export const ScanView = z.object({
  id: z.string(),
  server: ServerName,
  action: ScanAction,
  state: z.enum(["running", "stored", "refused"]).meta({
    description:
      "stored: the report was saved to the record. refused: nothing was changed, see failure",
  }),
  stages: z.array(StageProgress),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  outcome: z.object({ status: ScanStatus, summary: ReportSummary }).nullable(),
  failure: ScanFailure.nullable(),
}).meta({ id: "Scan" });
export type ScanView = z.infer<typeof ScanView>;

/** A stored scan in the list of its record's. */
export const HistoryEntry = z.object({
  id: z.string(),
  action: ScanAction,
  version: z.string().meta({ description: "Version of the server that was scanned" }),
  commit: z.string(),
  status: ScanStatus,
  summary: ReportSummary,
  new_issues: z.int().min(0).meta({ description: "Findings that the previous scan did not have" }),
  fixed_issues: z.int().min(0).meta({ description: "Findings of the previous scan that are gone" }),
  previous: z.string().nullable().meta({ description: "Id of the previous scan" }),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
}).meta({ id: "HistoryEntry" });
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/** Page of a record's scans. */
export const HistoryQuery = z.strictObject({
  limit: pageLimit({ max: 100, standard: 20 }),
  cursor: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/).optional().meta({
    description: "`next_cursor` of the previous page",
  }),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;
