/**
 * A scan as the API shows it: as the registry has it, but its failure is the envelope that the
 * request would have been answered with.
 *
 * @module
 */
import { z } from "zod";
import { AppError } from "../errors.ts";
import { ScanView } from "../registry/scanning/scan_schema.ts";
import { AuthenticationFailure, failureEnvelope, GeneralFailure } from "./envelopes.ts";

/** A scan, running or ended. */
export const ShownScan = ScanView.extend({
  failure: z.union([GeneralFailure, AuthenticationFailure]).nullable().meta({
    description: "Of a refused scan: what its request would have been answered with",
  }),
  failure_status: z.int().nullable().meta({
    description: "Status that the failure would have had",
    example: null,
  }),
}).meta({ id: "Scan" });
export type ShownScan = z.infer<typeof ShownScan>;

/** `scan` as it is sent. */
export function showScan(scan: ScanView): ShownScan {
  if (scan.failure === null) return { ...scan, failure: null, failure_status: null };
  const { code, message, details, errors, request_id } = scan.failure;
  const { status, body } = failureEnvelope(
    new AppError(code, message, { details, errors }),
    request_id,
  );
  return { ...scan, failure: body, failure_status: status };
}
