/**
 * A scan as the API shows it.
 *
 * @module
 */
import { z } from "zod";
import { ReportSummary, ScanStatus, StageProgress } from "../scan/schema.ts";
import { AuthenticationFailure, GeneralFailure } from "./envelopes.ts";

/** A scan, running or ended. */
export const ScanView = z.object({
  id: z.string(),
  server: z.string().meta({ description: "Name of the server", example: "weather" }),
  action: z.enum(["create", "update", "rescan", "retry"]).meta({
    description: "What the scan is part of",
  }),
  state: z.enum(["running", "stored", "refused"]),
  stages: z.array(StageProgress).meta({ description: "The five stages, in order" }),
  outcome: z.object({ status: ScanStatus, summary: ReportSummary }).nullable().meta({
    description: "Of a stored scan",
  }),
  failure: z.union([GeneralFailure, AuthenticationFailure]).nullable().meta({
    description: "Of a refused one: what the request would have been answered without waiting",
  }),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
}).meta({ id: "Scan" });
/** See {@link ScanView}. */
export type ScanView = z.infer<typeof ScanView>;
