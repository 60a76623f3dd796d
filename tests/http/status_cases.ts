/**
 * Requests whose status the API description documents: what all operations have in common.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import { MAX_BODY_BYTES } from "../../src/http/plumbing/json_body.ts";
import { OWNER, type Stub } from "./stub_services.ts";

/** A request, and what is to be answered. */
export interface Case {
  operation: string;
  status: number;
  name?: string;
  path: string;
  method?: string;
  /** Subject of the token; absent: no token. */
  as?: string;
  headers?: Record<string, string>;
  body?: unknown;
  raw?: string | (() => ReadableStream<Uint8Array>);
  arrange?: (stub: Stub) => void;
  check?: (response: Response, body: string) => void;
}

/** A use case that fails with `error`. */
export function fail(error: unknown): () => Promise<never> {
  return () => Promise.reject(error);
}

/** What no response may show. */
export const BROKEN = new Error("password of the database is hunter2");
/** A service that is out of reach. */
export const DOWN = new AppError("unavailable", "Cannot reach the code host", {
  headers: { "Retry-After": "30" },
});

/** Blank text of `chunks` times 64 KiB, of a length that no header tells. */
export function* endless(chunks: number): Generator<Uint8Array> {
  for (let chunk = 0; chunk < chunks; chunk++) yield new TextEncoder().encode(" ".repeat(65_536));
}

/** What every operation with a JSON body refuses before its schema looks at it. */
export function bodyCases(operation: string, method: string, path: string): Case[] {
  const base = { operation, method, path, as: OWNER };
  const json = { "content-type": "application/json" };
  return [
    { ...base, status: 400, name: "malformed JSON", headers: json, raw: "{oops" },
    { ...base, status: 400, name: "no body", headers: json, raw: "" },
    { ...base, status: 400, name: "another shape", headers: json, raw: "[]" },
    { ...base, status: 400, name: "null", headers: json, raw: "null" },
    { ...base, status: 400, name: "an unknown field", body: { nonsense: 1 } },
    { ...base, status: 400, name: "NUL in a text", body: { name: "a\0" } },
    { ...base, status: 400, name: "NUL in a key", body: { "a\0": 1 } },
    { ...base, status: 400, name: "half a pair", headers: json, raw: '{"name":"\\ud800"}' },
    {
      ...base,
      status: 400,
      name: "deep nesting",
      headers: json,
      raw: `{"meta":${"[".repeat(200_000)}${"]".repeat(200_000)},"nonsense":1}`,
    },
    { ...base, status: 400, name: "a prototype", headers: json, raw: '{"__proto__":{"a":1}}' },
    {
      ...base,
      status: 413,
      name: "a large body",
      headers: json,
      raw: `{"a":"${"x".repeat(MAX_BODY_BYTES)}"}`,
    },
    {
      ...base,
      status: 413,
      name: "a large body of unknown length",
      headers: json,
      raw: () => ReadableStream.from(endless(40)) as ReadableStream<Uint8Array>,
    },
    { ...base, status: 415, name: "no media type", raw: "{}", headers: { "content-type": "" } },
    {
      ...base,
      status: 415,
      name: "a form",
      raw: "a=b",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    },
    {
      ...base,
      status: 415,
      name: "another character set",
      raw: "{}",
      headers: { "content-type": "application/json; charset=utf-16" },
    },
    {
      ...base,
      status: 415,
      name: "a compressed body",
      raw: "{}",
      headers: { ...json, "content-encoding": "gzip" },
    },
  ];
}

/** What every protected operation has. */
export function tokenCases(
  operation: string,
  method: string,
  path: string,
  body?: unknown,
): Case[] {
  const base = { operation, method, path, body };
  return [
    { ...base, status: 401 },
    {
      ...base,
      status: 503,
      name: "identity provider down",
      as: OWNER,
      arrange: (stub) => {
        stub.services.identity.authenticate = fail(DOWN);
      },
      check: (response) => assertEquals(response.headers.get("retry-after"), "30"),
    },
    {
      ...base,
      status: 500,
      as: OWNER,
      arrange: (stub) => {
        stub.services.identity.authenticate = fail(BROKEN);
      },
    },
    { ...base, status: 400, name: "NUL in the address", path: `${path}?x=%00`, as: OWNER },
  ];
}
