/**
 * The failures of the HTTP listeners themselves: what is wrong with a request whatever it asks for.
 *
 * @module
 */
import { AppError, type FieldError, forbidden } from "../errors.ts";

/** Fields that a message names; `errors` has them all. */
const IN_MESSAGE = 3;

export function pathNotFound(): AppError {
  return new AppError("not_found", "Path not found");
}

/** @param allow Methods of this path, for the `Allow` header. */
export function methodNotAllowed(method: string, allow: string): AppError {
  return new AppError("method_not_allowed", `${method} is not allowed for this path`, {
    headers: { Allow: allow },
  });
}

export function hostRefused(): AppError {
  return new AppError("host_refused", "The Host header does not name this service", {
    details: { required: "host of this service", current: "another host" },
  });
}

export function nulInPath(): AppError {
  return new AppError("invalid_request", "The URL must not contain NUL characters");
}

/** The framework cannot read the request. */
export function unreadable(
  code: "unsupported_media_type" | "invalid_request",
  cause: unknown,
): AppError {
  return new AppError(code, "The request could not be read", { cause });
}

/** @param place What is invalid, such as "request body". */
export function invalidFields(place: string, errors: FieldError[]): AppError {
  const named = errors.slice(0, IN_MESSAGE).map(({ path, message }) => `${path} ${message}`.trim());
  const more = errors.length - named.length;
  const message = `Invalid ${place}: ${named.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
  return new AppError("invalid_request", message, { errors });
}

export function bodyTooLarge(limitBytes: number): AppError {
  return new AppError("too_large", `The request body is larger than ${limitBytes} bytes`);
}

export function bodyNotJson(): AppError {
  return new AppError(
    "unsupported_media_type",
    'The request body must be UTF-8 JSON, sent with "Content-Type: application/json"',
  );
}

export function bodyCompressed(): AppError {
  return new AppError("unsupported_media_type", "The request body must not be compressed");
}

/** The client went away, or was too slow. */
export function bodyIncomplete(cause: unknown): AppError {
  return new AppError("invalid_request", "The request body did not arrive completely", { cause });
}

export function bodyMalformed(cause: unknown): AppError {
  return new AppError("invalid_request", "The request body is not valid UTF-8 JSON", { cause });
}

/** Texts that the database cannot store. */
export function bodyUnstorable(): AppError {
  return new AppError(
    "invalid_request",
    "The request body contains a NUL character or an unpaired surrogate",
  );
}

/** @param headers The fields of the limit. */
export function tooManyRequests(
  { policy, max, windowSeconds, waitSeconds }: {
    policy: string;
    max: number;
    windowSeconds: number;
    waitSeconds: number;
  },
  headers: Record<string, string>,
): AppError {
  const isPublic = policy === "public";
  const whose = isPublic ? "without a valid token from your IP address" : "from your account";
  return new AppError(
    "rate_limited",
    `Too many requests: the limit is ${max} per ${windowSeconds} seconds ${whose}. ` +
      `Try again in ${waitSeconds} seconds${isPublic ? ", or send a token" : ""}`,
    { retryAfter: waitSeconds, headers, limit: "requests" },
  );
}

export function administratorsOnly(): AppError {
  return forbidden("administrator", "Only administrators can do this");
}

export function starting(): AppError {
  return new AppError("unavailable", "Berth is starting. Try again in a moment", { retryAfter: 1 });
}

/** @param checks Names of the checks that failed. */
export function notReady(checks: readonly string[]): AppError {
  return new AppError("unavailable", `Not ready: ${checks.join(", ")}`, {
    errors: checks.map((path) => ({ path, message: "is not working" })),
    retryAfter: 5,
  });
}
