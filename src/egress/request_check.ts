/**
 * Whether a request of sandboxed code may be put on a wire: method, address, headers, body. What
 * could be read differently by two parties (length, framing, target host) is decided here.
 *
 * @module
 */
import {
  REQUEST_BODY_MAX_BYTES,
  REQUEST_HEADERS_MAX,
  REQUEST_HEADERS_MAX_BYTES,
  URL_MAX_LENGTH,
} from "./session_limits.ts";
import type { EgressFailure, EgressRequest } from "./types.ts";

/** Methods that sandboxed code may use. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type Method = (typeof METHODS)[number];

/** A request that passed: what goes on the wire. */
export interface PreparedRequest {
  kind: "prepared";
  method: Method;
  secure: boolean;
  /** Lower case, without brackets and trailing dot: what is checked, resolved and certified. */
  host: string;
  port: number;
  /** Value of the Host header. */
  authority: string;
  path: string;
  /** Names and values in turn. */
  headers: string[];
  body: Uint8Array | null;
}

// Meant for one connection, which is the broker's; `requests` sends the first by default.
const HOP_BY_HOP = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade", "expect"],
  ...["transfer-encoding", "proxy-authorization", "proxy-authenticate", "http2-settings"],
]);
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const OTHER_THAN_VISIBLE = /[^\x21-\x7e\u0080-\u{10ffff}]/u;

function fail(error: EgressFailure["error"], message: string): EgressFailure {
  return { kind: "error", error, message };
}

/** The request as it will be sent, or why it will not. */
export function prepareRequest(request: EgressRequest): PreparedRequest | EgressFailure {
  const method = METHODS.find((known) => known === request.method.toUpperCase());
  if (method === undefined) {
    const shown = TOKEN.test(request.method) ? ` "${request.method.slice(0, 40)}"` : "";
    return fail("refused", `The method${shown} is not supported. Use one of ${METHODS.join(", ")}`);
  }
  const target = readTarget(request.url);
  if (target.kind === "error") return target;
  const { url, host, port } = target;
  const headers = readHeaders(request, url.host);
  if (!Array.isArray(headers)) return headers;
  const body = request.body !== null && request.body.byteLength > 0 ? request.body : null;
  if (body !== null && body.byteLength > REQUEST_BODY_MAX_BYTES) {
    return fail("too_large", `The request body is larger than ${REQUEST_BODY_MAX_BYTES} bytes`);
  }
  return {
    kind: "prepared",
    method,
    secure: url.protocol === "https:",
    host,
    port,
    authority: url.host,
    path: url.pathname + url.search,
    headers,
    body,
  };
}

type Target = { kind: "target"; url: URL; host: string; port: number };

function readTarget(text: string): Target | EgressFailure {
  if (text.length > URL_MAX_LENGTH) {
    return fail("invalid_url", `The URL is longer than ${URL_MAX_LENGTH} characters`);
  }
  // The URL parser drops tabs and line ends silently, so that two readers could disagree.
  if (OTHER_THAN_VISIBLE.test(text)) {
    return fail("invalid_url", "The URL contains spaces or control characters");
  }
  const url = URL.parse(text);
  if (url === null) return fail("invalid_url", "The URL is not valid");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return fail("refused", `Only http and https URLs are supported, not "${url.protocol}"`);
  }
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "").toLowerCase();
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  if (host === "" || host.length > 253) return fail("invalid_url", "The URL has no valid host");
  if (port === 0) return fail("invalid_url", "The URL has port 0");
  return { kind: "target", url, host, port };
}

function readHeaders(request: EgressRequest, authority: string): string[] | EgressFailure {
  if (request.headers.length > REQUEST_HEADERS_MAX) {
    return fail("limit", `The request has more than ${REQUEST_HEADERS_MAX} headers`);
  }
  const kept: string[] = [];
  let bytes = 0;
  for (const [name, value] of request.headers) {
    if (!TOKEN.test(name) || name.length > 256) {
      return fail("protocol", "A request header has an invalid name");
    }
    if (!HEADER_VALUE.test(value)) {
      return fail(
        "protocol",
        `The request header "${name}" contains characters that are not allowed`,
      );
    }
    bytes += name.length + value.length + 4;
    const lower = name.toLowerCase();
    if (lower === "host") {
      if (value.trim().toLowerCase() !== authority) {
        return fail("refused", "The Host header must match the URL");
      }
    } else if (lower === "content-length") {
      if (value.trim() !== String(request.body?.byteLength ?? 0)) {
        return fail("protocol", "The Content-Length header does not match the body");
      }
    } else if (!HOP_BY_HOP.has(lower)) {
      kept.push(name, value.trim());
    }
  }
  if (bytes > REQUEST_HEADERS_MAX_BYTES) {
    return fail("limit", `The request headers are larger than ${REQUEST_HEADERS_MAX_BYTES} bytes`);
  }
  return kept;
}
