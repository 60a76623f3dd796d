/**
 * Failures of the execution endpoint: an HTTP status and one JSON-RPC error each, whose data holds
 * the envelope that the registry listener would have sent.
 *
 * @module
 */
import { databaseFailure } from "../database/failures.ts";
import { AppError, type AppErrorOptions, type ErrorCode } from "../errors.ts";
import { CODES } from "../protocol/json_rpc.ts";

/** A failure with a JSON-RPC code other than its status implies. */
export class ExecutionError extends AppError {
  /** @param rpcCode Code of the JSON-RPC error. */
  constructor(
    readonly rpcCode: number,
    code: ErrorCode,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(code, message, options);
    this.name = "ExecutionError";
  }
}

const INVALID: ReadonlySet<ErrorCode> = new Set(["invalid_request", "too_large"]);

/** The JSON-RPC code of a failure. */
export function rpcCodeOf(error: AppError): number {
  if (error instanceof ExecutionError) return error.rpcCode;
  if (INVALID.has(error.code)) return CODES.invalidRequest;
  return error.code === "internal" ? CODES.internal : CODES.server;
}

/** A malformed message or header: 400. */
export function invalidRequest(message: string): ExecutionError {
  return new ExecutionError(CODES.invalidRequest, "invalid_request", message);
}

/** No session of this id, for whoever asks: never begun, ended, or another user's. */
export function sessionNotFound(): ExecutionError {
  return new ExecutionError(
    CODES.sessionNotFound,
    "not_found",
    "Session not found. Start a new one with initialize",
  );
}

/** `error` as one that may be shown: what is not meant for callers becomes `internal`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return databaseFailure(error) ??
    new AppError("internal", "Internal server error", { cause: error });
}
