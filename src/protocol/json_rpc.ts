/**
 * JSON-RPC 2.0 as MCP uses it: requests with string or integer ids, notifications, responses.
 *
 * @module
 */
import { RawJson } from "./raw_json.ts";

/** Most characters of a string id; ids are echoed and logged. */
const ID_MAX_LENGTH = 1024;

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
  /** The user has to open an address first (MCP 2025-11-25, "URL elicitation required"). */
  urlElicitation: -32042,
} as const;

/** Id of a request; integers that JavaScript would round are `bigint`. */
export type RequestId = string | number | bigint;

// A character takes six bytes when it is escaped.
const ID_MAX_BYTES = 6 * ID_MAX_LENGTH + 2;
const METHOD_MAX_LENGTH = 256;

/** Reads an id, also a progress token; null when it is none. */
export function readId(raw: RawJson | undefined): RequestId | null {
  if (raw === undefined) return null;
  if (!raw.isString) return raw.integer();
  const text = raw.string(ID_MAX_BYTES);
  return text !== null && text.length <= ID_MAX_LENGTH ? text : null;
}

/** Parameters of a request or notification: an object. */
export type Params = RawJson;

/** A message that a client sent. */
export type Message =
  | { kind: "request"; id: RequestId; method: string; params: Params }
  | { kind: "notification"; method: string; params: Params }
  | { kind: "response"; id: RequestId | null; result?: RawJson; error?: RpcError }
  | { kind: "invalid"; id: RequestId | null; reason: string };

/** The error member of a response. */
export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** A response as it goes to the client; `result` and `data` may be {@link RawJson}. */
export type RpcResponse =
  | { jsonrpc: "2.0"; id: RequestId | null; result: unknown }
  | { jsonrpc: "2.0"; id: RequestId | null; error: RpcError };

export function resultOf(id: RequestId, result: unknown): RpcResponse {
  return { jsonrpc: "2.0", id, result };
}

export function errorOf(id: RequestId | null, error: RpcError): RpcResponse {
  return { jsonrpc: "2.0", id, error };
}

function invalid(id: RequestId | null, reason: string): Message {
  return { kind: "invalid", id, reason };
}

const WANTED = {
  jsonrpc: '"jsonrpc" must be "2.0"',
  id: `"id" must be an integer or a string of at most ${ID_MAX_LENGTH} characters`,
  method: `"method" must be a string of 1 to ${METHOD_MAX_LENGTH} characters`,
  params: '"params" must be an object',
  error: '"error" must be an object with an integer "code" and a string "message"',
};

/** Members of a message that Berth reads. */
const MEMBERS = ["jsonrpc", "id", "method", "params", "result", "error"] as const;
type Members = Partial<Record<(typeof MEMBERS)[number], RawJson>>;

/** Which message `value` is. Never throws. */
export function readMessage(value: RawJson): Message {
  if (!value.isObject) return invalid(null, "A message must be an object");
  const members = value.pick(...MEMBERS);
  return members.method === undefined ? readAnswer(members) : readCall(members, members.method);
}

function isVersion({ jsonrpc }: Members): boolean {
  return jsonrpc?.string(ID_MAX_BYTES) === "2.0";
}

function readAnswer(members: Members): Message {
  const { result } = members;
  const id = readId(members.id);
  if (result === undefined && members.error === undefined) {
    return invalid(id, 'A message must have "method", "result" or "error"');
  }
  if (!isVersion(members)) return invalid(id, WANTED.jsonrpc);
  if (id === null && !members.id?.isNull) return invalid(null, WANTED.id);
  const error = members.error === undefined ? undefined : readError(members.error);
  if (error === null) return invalid(id, WANTED.error);
  if ((result === undefined) === (error === undefined)) {
    return invalid(id, 'A response must have either "result" or "error"');
  }
  return { kind: "response", id, ...(error === undefined ? { result: result! } : { error }) };
}

/** The error of a response; null when it is none. */
export function readError(raw: RawJson): RpcError | null {
  const { code, message, data } = raw.pick("code", "message", "data");
  const number = code?.integer() ?? null;
  const text = message?.string() ?? null;
  if (typeof number !== "number" || text === null) return null;
  return { code: number, message: text, ...(data === undefined ? {} : { data }) };
}

function readCall(members: Members, rawMethod: RawJson): Message {
  const id = readId(members.id);
  const isRequest = members.id !== undefined;
  const method = rawMethod.string(ID_MAX_BYTES);
  const { params } = members;
  if (!isVersion(members)) return invalid(id, WANTED.jsonrpc);
  if (isRequest && id === null) return invalid(null, WANTED.id);
  if (method === null || method === "" || method.length > METHOD_MAX_LENGTH) {
    return invalid(id, WANTED.method);
  }
  // Clients that have nothing to say send no params, null, or an empty object.
  const given = params === undefined || params.isNull ? RawJson.EMPTY : params;
  if (!given.isObject) return invalid(id, WANTED.params);
  if (id === null) return { kind: "notification", method, params: given };
  return { kind: "request", id, method, params: given };
}
