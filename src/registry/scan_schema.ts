/**
 * A scan as clients see it, while it runs and after.
 *
 * @module
 */
import { z } from "zod";
import { STATUS_OF_CODE } from "../errors.ts";
import type { ErrorCode } from "../errors.ts";
import { ReportSummary, ScanStatus, StageProgress } from "../scan/schema.ts";
import { ServerName } from "./schema.ts";

/** Why a scan began: a creation, a change, a request to scan again, or a retry after `error`. */
export const ScanAction = z.enum(["create", "update", "rescan", "retry"]);
/** See {@link ScanAction}. */
export type ScanAction = z.infer<typeof ScanAction>;

/** A refused scan: the parts of the error that the creation or change would have been answered. */
export const ScanFailure = z.object({
  code: z.enum(Object.keys(STATUS_OF_CODE) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  details: z.record(z.string(), z.string()),
  errors: z.array(z.object({ path: z.string(), message: z.string() })),
  request_id: z.string(),
}).meta({ id: "ScanFailure" });
/** See {@link ScanFailure}. */
export type ScanFailure = z.infer<typeof ScanFailure>;

/** A scan. */
export const ScanView = z.object({
  id: z.string(),
  server: ServerName,
  action: ScanAction,
  state: z.enum(["running", "stored", "refused"]).meta({
    description: "stored: the record has the report; refused: nothing was changed, see failure",
  }),
  stages: z.array(StageProgress),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  outcome: z.object({ status: ScanStatus, summary: ReportSummary }).nullable(),
  failure: ScanFailure.nullable(),
}).meta({ id: "Scan" });
/** See {@link ScanView}. */
export type ScanView = z.infer<typeof ScanView>;
