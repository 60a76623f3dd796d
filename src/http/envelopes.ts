/**
 * The two shapes of failures (specification, "Response envelopes") and which failure has which.
 *
 * @module
 */
import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import { databaseFailure } from "../database/failures.ts";
import { AppError, type ErrorCode, internalError } from "../errors.ts";
import { unreadable } from "./failures.ts";

const requestId = z.string().meta({
  description: "Id of the request, as in the X-Request-Id header and the server's log",
  example: "0c3b6a1e-6c1e-4f0b-9a61-3f3ad1f5f2a7",
});

/** Every failure but 401 and 403. */
export const GeneralFailure = z.object({
  status: z.literal("error"),
  detail: z.string().meta({ description: "Human-readable message" }),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional().meta({
    description: "All invalid fields",
  }),
  request_id: requestId,
}).meta({ id: "Failure" });
export type GeneralFailure = z.infer<typeof GeneralFailure>;

/** Codes of the authentication envelope. */
const AUTHENTICATION_CODES = [
  "MISSING_TOKEN",
  "INVALID_TOKEN",
  "EXPIRED_TOKEN",
  "FORBIDDEN",
] as const;

/** 401 and 403. */
export const AuthenticationFailure = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.enum(AUTHENTICATION_CODES),
    message: z.string(),
    details: z.record(z.string(), z.string()).meta({
      description: "MISSING_TOKEN: hint. INVALID_TOKEN: reason. EXPIRED_TOKEN: expiredAt, hint, " +
        "reason. FORBIDDEN: required, current",
    }),
  }),
  request_id: requestId,
}).meta({ id: "AuthenticationFailure" });
export type AuthenticationFailure = z.infer<typeof AuthenticationFailure>;

const AUTHENTICATION_CODE_OF: Partial<
  Record<ErrorCode, (typeof AUTHENTICATION_CODES)[number]>
> = {
  missing_token: "MISSING_TOKEN",
  invalid_token: "INVALID_TOKEN",
  expired_token: "EXPIRED_TOKEN",
  forbidden: "FORBIDDEN",
  host_refused: "FORBIDDEN",
};

/** An error response: status, JSON envelope, extra headers. */
export interface Failure {
  status: AppError["status"];
  body: GeneralFailure | AuthenticationFailure;
  headers: Record<string, string>;
}

/** `error` as one that may be shown: what is not meant for callers becomes `internal`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof HTTPException && error.status < 500) {
    // Thrown by the framework, for requests it cannot read.
    return unreadable(error.status === 415 ? "unsupported_media_type" : "invalid_request", error);
  }
  return databaseFailure(error) ?? internalError(error);
}

/** The envelope of `error`. Both listeners use it; the execution listener as `error.data`. */
export function failureEnvelope(error: AppError, requestId: string): Failure {
  const { status, headers } = error;
  const code = AUTHENTICATION_CODE_OF[error.code];
  if (code !== undefined) {
    return {
      status,
      headers,
      body: {
        success: false,
        error: { code, message: error.message, details: error.details },
        request_id: requestId,
      },
    };
  }
  return {
    status,
    headers,
    body: {
      status: "error",
      detail: error.message,
      ...(error.errors.length > 0 ? { errors: error.errors } : {}),
      request_id: requestId,
    },
  };
}
