/**
 * A failure as `--json` shows it: one shape, whichever envelope a registry answered with, and
 * whether it was asked at all.
 *
 * @module
 */
import { z } from "zod";
import type { CliError } from "../failure.ts";

/** What programs read of a failed command; the last line of standard error. */
export interface FailureJson {
  status: "error";
  /** What happened. */
  detail: string;
  /** What to do about it. */
  hint?: string;
  /** Faults of fields, or of places in the code. */
  errors?: { path: string; message: string }[];
  /** What kind of authentication failure it is: `MISSING_TOKEN`, `FORBIDDEN` and so on. */
  code?: string;
  /** What the registry adds to that. */
  details?: Record<string, string>;
  /** Names the request in the registry's log. */
  request_id?: string;
}

/** What is used of a registry's envelopes; what does not fit is left out. */
const Envelope = z.object({
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional().catch(undefined),
  error: z.object({
    code: z.string().optional().catch(undefined),
    details: z.record(z.string(), z.string()).optional().catch(undefined),
  }).optional().catch(undefined),
  request_id: z.string().optional().catch(undefined),
}).catch({});

/** An error for `--json`: the registry's envelope with a hint, absent fields left out. */
export function failureJson({ message, hint, body }: CliError): FailureJson {
  const { errors, error, request_id } = Envelope.parse(body ?? {});
  return JSON.parse(JSON.stringify({
    status: "error",
    detail: message,
    hint: hint ?? undefined,
    errors,
    ...error,
    request_id,
  }));
}
