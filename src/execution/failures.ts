/**
 * Failures of the execution endpoint: an HTTP status and one JSON-RPC error each, whose data holds
 * the envelope that the registry listener would have sent.
 *
 * @module
 */
import { databaseFailure } from "../database/failures.ts";
import { AppError, type AppErrorOptions, type ErrorCode, internalError } from "../errors.ts";
import type { CapabilityRefusal } from "./admission/runnable.ts";
import { CODES } from "../protocol/json_rpc.ts";
import { REVISIONS } from "../protocol/revisions.ts";
import type { ScanStatus } from "../scan/schema.ts";

/** Until a session of the node may have ended. */
const SESSION_WAIT_SECONDS = 30;
/** Until a host may have room. */
const HOST_WAIT_SECONDS = 5;

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

/** `error` as one that may be shown: what is not meant for callers becomes `internal`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return databaseFailure(error) ?? internalError(error);
}

// Requests

/** A malformed message or header: 400. @param message What its reader says of it. */
export function invalidRequest(message: string): ExecutionError {
  return new ExecutionError(CODES.invalidRequest, "invalid_request", message);
}

/** @param reason Where the text ceases to be JSON. */
export function bodyNotJson(reason: string): ExecutionError {
  return new ExecutionError(CODES.parse, "invalid_request", reason);
}

export function methodNotAvailable(method: string): AppError {
  return new AppError("method_not_allowed", `${method} is not available on this endpoint`, {
    headers: { Allow: "GET, POST, DELETE" },
  });
}

export function tokenMissing(): AppError {
  return new AppError("missing_token", "The execution endpoint requires an access token", {
    details: { hint: "Send Authorization: Bearer <ACCESS_TOKEN>" },
    headers: { "WWW-Authenticate": "Bearer" },
  });
}

export function nothingAcceptable(): AppError {
  return new AppError(
    "not_acceptable",
    "Accept must allow application/json or text/event-stream",
  );
}

export function streamNotAcceptable(): AppError {
  return new AppError("not_acceptable", "Accept must allow text/event-stream");
}

export function contentTypeNotJson(): AppError {
  return new AppError("unsupported_media_type", "Content-Type must be application/json");
}

export function bodyCompressed(): AppError {
  return new AppError("unsupported_media_type", "The body must not be compressed");
}

export function bodyTooLarge(limitBytes: number): AppError {
  return new AppError("too_large", `The body is larger than the limit of ${limitBytes} bytes`);
}

export function bodyTooSlow(limitMs: number): AppError {
  return new AppError(
    "invalid_request",
    `The body did not arrive within the limit of ${limitMs / 1000} s`,
  );
}

/** A client that goes away while it sends is no fault of Berth's. */
export function bodyIncomplete(cause: unknown): AppError {
  return new AppError("invalid_request", "The body could not be read", { cause });
}

export function noRoomForBody(): AppError {
  return new AppError("unavailable", "Too many large requests at once. Try again in a moment", {
    retryAfter: 5,
    limit: "bodies",
  });
}

export function tooManyCalls(perMinute: number, waitSeconds: number): AppError {
  return new AppError(
    "rate_limited",
    `Too many calls: a client may make ${perMinute} per minute (CALLS_PER_MINUTE)`,
    { retryAfter: waitSeconds, limit: "calls" },
  );
}

export function emptyBatch(): ExecutionError {
  return invalidRequest("A batch must not be empty");
}

export function batchTooLong(limit: number): ExecutionError {
  return invalidRequest(`A batch may have up to ${limit} messages`);
}

/** @param revision The MCP revision that the session speaks. */
export function noBatches(revision: string): ExecutionError {
  return invalidRequest(`MCP ${revision} has no batches. Send messages one by one`);
}

export function serverNameMissing(): ExecutionError {
  return invalidRequest(
    'The query parameter "name" is missing. Set it to the name of the server to run',
  );
}

export function serverNameRepeated(): ExecutionError {
  return invalidRequest('The query parameter "name" appears more than once');
}

/** A message other than `initialize` without a session id. */
export function sessionIdMissing(): ExecutionError {
  return invalidRequest("The Mcp-Session-Id header is missing. Only initialize may omit it");
}

export function sessionIdMalformed(): ExecutionError {
  return invalidRequest("Mcp-Session-Id must be 1 to 128 visible ASCII characters");
}

export function revisionUnknown(): ExecutionError {
  return invalidRequest(`MCP-Protocol-Version must be one of ${REVISIONS.join(", ")}`);
}

export function eventUnknown(): ExecutionError {
  return invalidRequest("Last-Event-ID is unknown, or its events are no longer stored");
}

// Sessions

/** No session of this id, for whoever asks: never begun, ended, or another user's. */
export function sessionNotFound(): ExecutionError {
  return new ExecutionError(
    CODES.sessionNotFound,
    "not_found",
    "Session not found. Start a new one with initialize",
  );
}

export function sessionOfOtherServer(): AppError {
  return new AppError("conflict", "This Mcp-Session-Id belongs to a session with another server");
}

export function sessionHasStream(): AppError {
  return new AppError("conflict", "The session already has a stream. Close it or resume it");
}

export function sessionEndedEarly(): AppError {
  return new AppError("unavailable", "The session ended while it was starting", {
    retryAfter: SESSION_WAIT_SECONDS,
  });
}

/** @param limit Sessions of one client. */
export function tooManySessions(limit: number): AppError {
  return new AppError(
    "rate_limited",
    `Too many sessions: a client may have ${limit} (SESSIONS_PER_CLIENT). End one with DELETE`,
    { retryAfter: 60, limit: "client_sessions" },
  );
}

/** @param limit Sessions that this node admits, running or starting. */
export function sessionsInUse(limit: number): AppError {
  return new AppError(
    "unavailable",
    `All ${limit} sessions of this node are in use (MAX_SESSIONS). ` +
      `Try again in ${SESSION_WAIT_SECONDS} seconds`,
    { retryAfter: SESSION_WAIT_SECONDS, limit: "node_sessions" },
  );
}

/** @param limit Interpreters that hosts of this node run, also of sessions that are ending. */
export function hostsFull(limit: number): AppError {
  return new AppError(
    "unavailable",
    `All ${limit} sessions of this node are in use (MAX_SESSIONS). ` +
      `Try again in ${HOST_WAIT_SECONDS} seconds`,
    { retryAfter: HOST_WAIT_SECONDS, limit: "node_sessions" },
  );
}

export function interpreterNotStarted(cause: unknown): AppError {
  return new AppError(
    "unavailable",
    `The session's interpreter could not be started. Try again in ${HOST_WAIT_SECONDS} seconds`,
    { retryAfter: HOST_WAIT_SECONDS, cause },
  );
}

/** The load balancer has not noticed yet; another node takes the session. */
export function nodeDraining(): AppError {
  return new AppError("unavailable", "This node is about to restart. Try again in a second", {
    retryAfter: 1,
  });
}

/** It does not know which sessions are its own at the moment. */
export function nodeCutOff(): AppError {
  return new AppError(
    "unavailable",
    "This node has lost touch with the others. Try again in some seconds",
    { retryAfter: 2 },
  );
}

/** Its node is ending, or was lost a moment ago. */
export function ownerNotReached(): AppError {
  return new AppError(
    "unavailable",
    "The node that has this session cannot be reached. Try again in some seconds",
    { retryAfter: 2 },
  );
}

/** What has become of the request is not known. */
export function ownerDidNotAnswer(): AppError {
  return new AppError("unavailable", "The node that has this session did not answer", {
    retryAfter: 2,
  });
}

/** What the session began with is not at this node yet. */
export function imageNotHere(): AppError {
  const message = "This node has no room for what the session needs. Try again in half a minute";
  return new AppError("unavailable", message, { retryAfter: SESSION_WAIT_SECONDS });
}

export function shuttingDown(): AppError {
  return new AppError("unavailable", "Berth is shutting down");
}

/** An environment in `_meta` that cannot be taken. @param message What its reader says of it. */
export function invalidMeta(message: string): ExecutionError {
  return new ExecutionError(CODES.invalidParams, "invalid_request", message);
}

export function environmentFixed(): ExecutionError {
  return invalidMeta(
    "The environment of a running session cannot change. End the session with DELETE, or use " +
      "another Mcp-Session-Id",
  );
}

// Servers

/** @param message Why not, from the one rule of what runs. */
export function scanNotPassed(message: string, status: ScanStatus): AppError {
  return new AppError("forbidden", message, {
    details: { required: "passed scan", current: `scan ${status}` },
  });
}

/** @param refusal Which capability, and who refuses it or has not answered yet. */
export function capabilityRefused({ by, message }: CapabilityRefusal): AppError {
  const details = by === "policy"
    ? { required: "CAPABILITY_POLICY=show", current: "CAPABILITY_POLICY=refuse" }
    : { required: "permission of an administrator", current: by };
  return new AppError("forbidden", message, { details });
}

/** @param message Why not, from the one rule of what runs. */
export function languageNotRun(message: string): AppError {
  return new AppError("invalid_request", message);
}
