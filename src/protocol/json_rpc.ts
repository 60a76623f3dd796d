/**
 * JSON-RPC 2.0 as MCP uses it: requests with string or integer ids, notifications, responses.
 *
 * @module
 */
import { z } from "zod";

/** Most characters of a string id; ids are echoed and logged. */
export const ID_MAX_LENGTH = 1024;

/** Error codes of JSON-RPC and MCP. -32000 to -32099 are for servers to define. */
export const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** A failure of Berth that none of the others says; `data` tells which. */
  server: -32000,
  /** The session is unknown or has ended: begin afresh with `initialize`. */
  sessionNotFound: -32001,
} as const;

/** Id of a request. */
export const RequestId = z.union([z.string().max(ID_MAX_LENGTH), z.int()]);
/** See {@link RequestId}. */
export type RequestId = z.infer<typeof RequestId>;

/** Parameters of a request or notification. */
export type Params = Record<string, unknown>;

function isObject(value: unknown): value is Params {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const version = z.literal("2.0");
const method = z.string().min(1).max(256);
// Clients that have nothing to say send no params, null, or an empty object. Members are looked at
// by whoever answers: a record schema here would copy what may be hundreds of thousands of them.
const params = z.custom<Params>(isObject).nullish();

const requestShape = z.object({ jsonrpc: version, id: RequestId, method, params });
const notificationShape = z.object({ jsonrpc: version, method, params });
const responseShape = z.object({
  jsonrpc: version,
  id: RequestId.nullable(),
  result: z.unknown().optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
});

/** A message that a client sent. */
export type Message =
  | { kind: "request"; id: RequestId; method: string; params: Params }
  | { kind: "notification"; method: string; params: Params }
  | { kind: "response"; id: RequestId | null; result?: unknown; error?: RpcError }
  | { kind: "invalid"; id: RequestId | null; reason: string };

/** The error member of a response. */
export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** A response as it goes to the client. */
export type RpcResponse =
  | { jsonrpc: "2.0"; id: RequestId | null; result: unknown }
  | { jsonrpc: "2.0"; id: RequestId | null; error: RpcError };

/** The response that carries `result`. */
export function resultOf(id: RequestId, result: unknown): RpcResponse {
  return { jsonrpc: "2.0", id, result };
}

/** The response that carries an error. */
export function errorOf(id: RequestId | null, error: RpcError): RpcResponse {
  return { jsonrpc: "2.0", id, error };
}

function invalid(id: RequestId | null, reason: string): Message {
  return { kind: "invalid", id, reason };
}

/** Which message `value`, any parsed JSON, is. Never throws. */
export function readMessage(value: unknown): Message {
  if (!isObject(value)) return invalid(null, "A message must be an object");
  if (Object.hasOwn(value, "method")) return readCall(value);
  const id = idOf(value);
  if (!Object.hasOwn(value, "result") && !Object.hasOwn(value, "error")) {
    return invalid(id, 'A message must have "method", "result" or "error"');
  }
  const response = responseShape.safeParse(value);
  if (!response.success) return invalid(id, faultOf(response.error));
  const { result, error } = response.data;
  if ((result === undefined) === (error === undefined)) {
    return invalid(id, 'A response must have either "result" or "error"');
  }
  return {
    kind: "response",
    id: response.data.id,
    ...(error === undefined ? { result } : { error: withoutUndefined(error) }),
  };
}

/** The id of a message that is not valid otherwise, null without a valid one. */
function idOf(value: Params): RequestId | null {
  return RequestId.safeParse(Object.hasOwn(value, "id") ? value["id"] : null).data ?? null;
}

function readCall(value: Params): Message {
  if (Object.hasOwn(value, "id")) {
    const request = requestShape.safeParse(value);
    if (!request.success) return invalid(idOf(value), faultOf(request.error));
    const { method, params } = request.data;
    return { kind: "request", id: request.data.id, method, params: params ?? {} };
  }
  const notification = notificationShape.safeParse(value);
  if (!notification.success) return invalid(null, faultOf(notification.error));
  const { method, params } = notification.data;
  return { kind: "notification", method, params: params ?? {} };
}

function withoutUndefined(error: { code: number; message: string; data?: unknown }): RpcError {
  const { code, message, data } = error;
  return data === undefined ? { code, message } : { code, message, data };
}

const WANTED: Record<string, string> = {
  jsonrpc: '"jsonrpc" must be "2.0"',
  id: `"id" must be an integer or a string of at most ${ID_MAX_LENGTH} characters`,
  method: '"method" must be a string of 1 to 256 characters',
  params: '"params" must be an object',
  error: '"error" must be an object with an integer "code" and a string "message"',
};

function faultOf(error: z.ZodError): string {
  const field = String(error.issues[0]?.path[0] ?? "");
  return WANTED[field] ?? "The message is not valid JSON-RPC";
}
