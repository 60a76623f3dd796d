/**
 * A scan as the API shows it: as the registry has it, but its failure is the envelope that the
 * request would have been answered with.
 *
 * @module
 */
import { z } from "zod";
import { storedFailure } from "../registry/failures.ts";
import { ScanView } from "../registry/scanning/scan_schema.ts";
import { AuthenticationFailure, failureEnvelope, GeneralFailure } from "./envelopes.ts";

/** A scan, running or ended. */
export const ShownScan = ScanView.extend({
  failure: z.union([GeneralFailure, AuthenticationFailure]).nullable().meta({
    description: "For a refused scan: the failure its request would have returned",
  }),
  failure_status: z.int().nullable().meta({
    description: "HTTP status of that failure",
    example: null,
  }),
}).meta({ id: "Scan" });
export type ShownScan = z.infer<typeof ShownScan>;

/** A scan for the API, its stored failure as the envelope that its caller would have got. */
export function showScan(scan: ScanView): ShownScan {
  if (scan.failure === null) return { ...scan, failure: null, failure_status: null };
  const { status, body } = failureEnvelope(storedFailure(scan.failure), scan.failure.request_id);
  return { ...scan, failure: body, failure_status: status };
}
