/**
 * Parts of route definitions that many routes share.
 *
 * @module
 */
import type { z } from "zod";
import { AuthenticationFailure, GeneralFailure } from "../envelopes.ts";
import { authenticationExample, failureExample } from "./examples.ts";

/** A header of a response. */
export function header(description: string, example: string, required = true) {
  return { description, required, schema: { type: "string" as const, example } };
}

/** `ETag` of a response that `If-None-Match` and `If-Match` can name. */
export const ETAG = header("Strong entity tag", '"5f1d3c"');

/** A JSON response. */
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

const RETRY_AFTER = { "Retry-After": header("Seconds to wait", "60") };
const CHALLENGE = { "WWW-Authenticate": header("Challenge (RFC 6750)", 'Bearer realm="berth"') };

function general(description: string, detail: string, headers = {}) {
  return json(GeneralFailure, description, { example: failureExample(detail), headers });
}

/** Every failure that routes document, by status. */
const FAILURES = {
  400: general("The request is invalid", "Invalid request body: version is required"),
  401: json(AuthenticationFailure, "The token is missing, invalid or expired", {
    example: authenticationExample("MISSING_TOKEN", "This operation needs a bearer token", {
      hint: 'Send the header "Authorization: Bearer <token>"',
    }),
    headers: CHALLENGE,
  }),
  403: json(AuthenticationFailure, "The caller may not do this", {
    example: authenticationExample("FORBIDDEN", "Only its owner may change this server", {
      required: "owner",
      current: "user",
    }),
  }),
  404: general("There is no such resource", 'Server "weather" was not found'),
  409: general("The resource exists, or its state conflicts", 'The name "weather" is taken'),
  412: general("The record changed meanwhile", "The server has changed since it was read"),
  413: general("The request body is too large", "The request body is larger than 1048576 bytes"),
  415: general(
    "The request body is not JSON",
    'The request body must be JSON in UTF-8, sent with "Content-Type: application/json"',
  ),
  429: general(
    "Too many requests, or too many scans of one user",
    "Too many requests: 1000 of your account are served in 3600 seconds; try again in 60 seconds",
    RETRY_AFTER,
  ),
  500: general("Something failed here", "Internal server error"),
  503: general("A service that this needs is not to be had", "Try again shortly", RETRY_AFTER),
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
  description: "What the client has is current",
  headers: { ETag: ETAG },
};

/** Routes with it need a token. */
export const BEARER = [{ bearer: [] }];
