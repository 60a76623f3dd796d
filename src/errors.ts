/**
 * Errors that end a request. Expected outcomes (a scan that found something, Python that raised)
 * are values, not errors.
 *
 * @module
 */

/** Every code and the HTTP status it has on both listeners: the only such table. */
export const STATUS_OF_CODE = {
  invalid_request: 400,
  repository_refused: 400,
  missing_token: 401,
  invalid_token: 401,
  expired_token: 401,
  payment_required: 402,
  forbidden: 403,
  host_refused: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  stale: 412,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<string, number>;

/** What went wrong, independent of any protocol. */
export type ErrorCode = keyof typeof STATUS_OF_CODE;

/** One field that failed: `path` in dotted form (`pricing.amount`), `message` says what is wanted. */
export interface FieldError {
  path: string;
  message: string;
}

/** What an `AppError` may carry beside its message. */
export interface AppErrorOptions {
  /** Extra facts for the authentication envelope (`hint`, `reason`, `expiredAt`, `required`…). */
  details?: Record<string, string>;
  /** Every failing field of a request. */
  errors?: FieldError[];
  /** Extra response headers, such as `Allow`. */
  headers?: Record<string, string>;
  /** Seconds of the `Retry-After` header. */
  retryAfter?: number;
  /** Which limit was reached, for the operator's figures. */
  limit?: LimitName;
  /** What caused it; logged, never shown. */
  cause?: unknown;
}

/** What there may only be so much of. */
export type LimitName =
  | "requests"
  | "calls"
  | "bodies"
  | "client_sessions"
  | "node_sessions"
  | "scans"
  | "lookups"
  | "connections";

/**
 * A request that fails. The message is shown to the caller, so it names no internals and no
 * secret, and says what to do where something can be done.
 */
export class AppError extends Error {
  /** Which failure it is. */
  readonly code: ErrorCode;
  /** Facts for the authentication envelope. */
  readonly details: Record<string, string>;
  /** Failing fields, empty when the failure is not about fields. */
  readonly errors: FieldError[];
  /** Extra response headers. */
  readonly headers: Record<string, string>;
  /** Which limit was reached; null when the failure is about none. */
  readonly limit: LimitName | null;

  /** @param message Shown to the caller: one or two sentences, without the last period. */
  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.details = options.details ?? {};
    this.errors = options.errors ?? [];
    this.limit = options.limit ?? null;
    this.headers = {
      ...(options.retryAfter === undefined ? {} : { "Retry-After": String(options.retryAfter) }),
      ...options.headers,
    };
  }

  /** The HTTP status of this failure. */
  get status(): (typeof STATUS_OF_CODE)[ErrorCode] {
    return STATUS_OF_CODE[this.code];
  }
}

/** What an operation may require of its caller. */
export type RequiredPermission =
  | "owner"
  | "administrator"
  | "namespace owner"
  | "recent sign-in"
  /** The user who is offered a server. */
  | "recipient"
  /** The user who is invited to own an author name. */
  | "invitee";

/** 403 `FORBIDDEN`. @param message Sentence for people. */
export function forbidden(required: RequiredPermission, message: string): AppError {
  return new AppError("forbidden", message, { details: { required, current: "user" } });
}

/** Whatever is not meant for callers: they learn that it happened. @param cause Logged. */
export function internalError(cause: unknown): AppError {
  return new AppError("internal", "Internal server error", { cause });
}

/** A cursor that is broken, or of another list. @param wanted What it must be, as a predicate. */
export function invalidCursor(wanted: string): AppError {
  return new AppError("invalid_request", "The cursor does not belong to this list", {
    errors: [{ path: "cursor", message: wanted }],
  });
}
