/**
 * Puts the value of a secret in the places of its placeholder. How long the request becomes is
 * known, and refused where it is too much, before any of it is made.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { countIn, replaceIn } from "./disguises.ts";
import type { PreparedRequest } from "./request_check.ts";
import {
  REQUEST_BODY_MAX_BYTES,
  REQUEST_HEADERS_MAX_BYTES,
  URL_MAX_LENGTH,
} from "./session_limits.ts";
import type { EgressFailure, SealedSecret } from "./types.ts";

/** The request with the value in it, or why it is not sent. */
export type Filling = { kind: "filled"; request: PreparedRequest } | EgressFailure;

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const BASIC = /^Basic\s+([A-Za-z0-9+/=_-]+)$/i;

function refused(message: string): EgressFailure {
  return { kind: "error", error: "refused", message };
}

function tooLarge(name: string, what: string, most: number): EgressFailure {
  const message =
    `The request ${what} with the value of ${name} would be larger than ${most} bytes`;
  return { kind: "error", error: "too_large", message };
}

/** Where a placeholder stands in a text, and the text with something in its place. */
function occurrences(text: string, placeholder: string, instead: string) {
  const parts = text.split(placeholder);
  const length = text.length + (parts.length - 1) * (instead.length - placeholder.length);
  return { length, fill: () => parts.join(instead) };
}

/** Characters that a path may have as they are, beside those that `encodeURIComponent` leaves. */
function inPath(value: string): string {
  return encodeURIComponent(value).replace(/%(3A|40|24|2B|2C|3D)/g, decodeURIComponent);
}

function addressWith(path: string, { name, placeholder, value }: SealedSecret) {
  if (!path.includes(placeholder)) return path;
  const at = path.indexOf("?");
  const [front, query] = at < 0 ? [path, ""] : [path.slice(0, at), path.slice(at)];
  const parts = [
    occurrences(front, placeholder, inPath(value)),
    occurrences(query, placeholder, encodeURIComponent(value)),
  ];
  if (parts.reduce((sum, { length }) => sum + length, 0) > URL_MAX_LENGTH) {
    return tooLarge(name, "address", URL_MAX_LENGTH);
  }
  return parts.map(({ fill }) => fill()).join("");
}

function headerWith(text: string, { placeholder, value }: SealedSecret) {
  const basic = BASIC.exec(text);
  if (basic === null) return occurrences(text, placeholder, value);
  const pair = Buffer.from(basic[1]!, "base64").toString("utf8");
  if (!pair.includes(placeholder)) return { length: text.length, fill: () => text };
  const filled = occurrences(pair, placeholder, value);
  return {
    length: Math.ceil(filled.length * 4 / 3),
    fill: () => `Basic ${Buffer.from(filled.fill(), "utf8").toString("base64")}`,
  };
}

function headersWith(headers: readonly string[], secret: SealedSecret) {
  const filled: string[] = [];
  let bytes = 0;
  for (const [index, text] of headers.entries()) {
    const header = index % 2 === 0 ? null : headerWith(text, secret);
    bytes += (header?.length ?? text.length) + 2;
    if (bytes > REQUEST_HEADERS_MAX_BYTES) {
      return tooLarge(secret.name, "head", REQUEST_HEADERS_MAX_BYTES);
    }
    filled.push(header?.fill() ?? text);
  }
  if (filled.every((text) => HEADER_VALUE.test(text))) return filled;
  return refused(
    `The value of ${secret.name} has line ends or other characters that no header takes`,
  );
}

function bodyForm(headers: readonly string[], value: string): string {
  const at = headers.findIndex((text, index) =>
    index % 2 === 0 && text.toLowerCase() === "content-type"
  );
  const type = (headers[at + 1] ?? "").toLowerCase();
  if (at >= 0 && /^application\/x-www-form-urlencoded\b/.test(type)) {
    return encodeURIComponent(value);
  }
  return at >= 0 && /\bjson\b/.test(type) ? JSON.stringify(value).slice(1, -1) : value;
}

function bodyWith({ body, headers }: PreparedRequest, { name, placeholder, value }: SealedSecret) {
  const count = body === null ? 0 : countIn(body, placeholder);
  if (body === null || count === 0) return body;
  const instead = Buffer.from(bodyForm(headers, value), "utf8");
  const length = body.byteLength + count * (instead.byteLength - placeholder.length);
  if (length > REQUEST_BODY_MAX_BYTES) return tooLarge(name, "body", REQUEST_BODY_MAX_BYTES);
  return replaceIn(body, placeholder, { instead, count });
}

/** The request with the value of one secret where its placeholder stands. */
export function filledWith(request: PreparedRequest, secret: SealedSecret): Filling {
  const path = addressWith(request.path, secret);
  if (typeof path !== "string") return path;
  const headers = headersWith(request.headers, secret);
  if (!Array.isArray(headers)) return headers;
  const body = bodyWith(request, secret);
  if (body !== null && "kind" in body) return body;
  return { kind: "filled", request: { ...request, path, headers, body } };
}
