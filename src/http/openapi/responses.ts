/**
 * Parts of route definitions that many routes share.
 *
 * @module
 */
import type { z } from "zod";
import { AuthenticationFailure, GeneralFailure } from "../envelopes.ts";
import { authenticationExample, failureExample } from "./examples.ts";

/** A response header for the OpenAPI document. */
export function header(description: string, example: string, required = true) {
  return { description, required, schema: { type: "string" as const, example } };
}

/** `ETag` of a response that `If-None-Match` and `If-Match` can name. */
export const ETAG = header("Strong entity tag", '"5f1d3c"');

/** A response with a JSON body for the OpenAPI document. */
export function json<T extends z.ZodType>(
  schema: T,
  description: string,
  options: { example?: unknown; headers?: Record<string, ReturnType<typeof header>> } = {},
) {
  const { example, headers } = options;
  return {
    description,
    content: { "application/json": { schema, ...(example === undefined ? {} : { example }) } },
    ...(headers === undefined ? {} : { headers }),
  };
}

const RETRY_AFTER = { "Retry-After": header("Seconds to wait before retrying", "60") };
const CHALLENGE = { "WWW-Authenticate": header("Challenge (RFC 6750)", 'Bearer realm="berth"') };

function general(description: string, detail: string, headers = {}) {
  return json(GeneralFailure, description, { example: failureExample(detail), headers });
}

/** Every failure that routes document, by status. */
const FAILURES = {
  400: general("The request is invalid", "Invalid request body: version is required"),
  401: json(AuthenticationFailure, "The token is missing, invalid or expired", {
    example: authenticationExample("MISSING_TOKEN", "This operation requires a bearer token", {
      hint: 'Send the header "Authorization: Bearer <token>"',
    }),
    headers: CHALLENGE,
  }),
  403: json(AuthenticationFailure, "The caller is not allowed to do this", {
    example: authenticationExample(
      "FORBIDDEN",
      'Only the owner of "weather" or an administrator can do this',
      {
        required: "owner",
        current: "user",
      },
    ),
  }),
  404: general("The resource was not found", 'Server "weather" was not found'),
  409: general(
    "The resource already exists, or its state conflicts with the request",
    'A server named "weather" already exists',
  ),
  412: general(
    "The server has changed since it was read",
    'The server "weather" has changed since you read it. Read it again before you change it',
  ),
  413: general("The request body is too large", "The request body is larger than 1048576 bytes"),
  415: general(
    "The request body is not JSON",
    'The request body must be UTF-8 JSON, sent with "Content-Type: application/json"',
  ),
  429: general(
    "Too many requests or scans",
    "Too many requests: the limit is 1000 per 3600 seconds from your account. Try again in 60 seconds",
    RETRY_AFTER,
  ),
  500: general("Internal server error", "Internal server error"),
  503: general(
    "A required service is unavailable",
    "The database is unavailable. Try again in a moment",
    RETRY_AFTER,
  ),
};

/** Statuses of documented failures. */
export type FailureStatus = keyof typeof FAILURES;

/** The responses of these failures, for a route's definition. */
export function failures<S extends FailureStatus>(...statuses: S[]): Pick<typeof FAILURES, S> {
  return Object.fromEntries(statuses.map((status) => [status, FAILURES[status]])) as Pick<
    typeof FAILURES,
    S
  >;
}

/** A response without a body to a conditional request. */
export const NOT_MODIFIED = {
  description: "The client's copy is current",
  headers: { ETag: ETAG },
};

/** Routes with it need a token. */
export const BEARER = [{ bearer: [] }];
