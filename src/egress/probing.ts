/**
 * Requests that ask a service whether a guess at a secret is right: many of them, alike but for what
 * stands beside the placeholder. Nothing is refused for it; it is told.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";
import type { PreparedRequest } from "./request_check.ts";

/** Watches the requests of one session. */
export interface ProbeWatch {
  /** Whether a request that carries `placeholder` to a host of its own looks like a guess. */
  saw(request: PreparedRequest, placeholder: string): boolean;
}

/** Different texts beside the placeholder in requests that are alike, before it is told. */
export const NEIGHBOURS_MAX = 20;
/** Kinds of requests that are remembered. */
const KINDS_MAX = 64;
/** Bytes of a body that are looked at. */
const BODY_MAX_BYTES = 16 * 1024;
/** Characters of a neighbourhood on each side. */
const BESIDE_MAX = 64;
/** What ends a value in headers, addresses, forms and JSON. */
const ENDS_VALUE = /[\s&?=/:;,"'<>{}()[\]|]/;

const digest = (text: string) => createHash("sha1").update(text, "latin1").digest("base64");

/** How much of `text` at `end` belongs to the same value as what follows there. */
function before(text: string, end: number): number {
  let at = end;
  while (at > 0 && end - at < BESIDE_MAX && !ENDS_VALUE.test(text[at - 1]!)) at--;
  return at;
}

function behind(text: string, start: number): number {
  let at = start;
  while (at < text.length && at - start < BESIDE_MAX && !ENDS_VALUE.test(text[at]!)) at++;
  return at;
}

/** What stands beside the placeholder, and the text without that; null where it is not in it. */
function split(text: string, placeholder: string): { beside: string; rest: string } | null {
  const beside: string[] = [];
  const rest: string[] = [];
  let done = 0;
  for (let at = text.indexOf(placeholder); at >= 0; at = text.indexOf(placeholder, done)) {
    const from = Math.max(done, before(text, at));
    const end = behind(text, at + placeholder.length);
    rest.push(text.slice(done, from));
    beside.push(text.slice(from, at), text.slice(at + placeholder.length, end));
    done = end;
  }
  if (beside.length === 0) return null;
  return { beside: beside.join("\0"), rest: [...rest, text.slice(done)].join("\0") };
}

function textOf({ method, authority, path, headers, body }: PreparedRequest): string {
  const start = body === null
    ? ""
    : Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, BODY_MAX_BYTES))
      .toString("latin1");
  // The length follows from what is watched.
  const kept = headers.filter((_, at) => !/^content-length$/i.test(headers[at - at % 2]!));
  return [method, authority, path, ...kept, start].join("\n");
}

/** A watch over one session's requests. */
export function probeWatch(): ProbeWatch {
  const kinds = new Map<string, Set<string>>();
  return {
    saw(request, placeholder) {
      const found = split(textOf(request), placeholder);
      if (found === null) return false;
      const kind = digest(`${placeholder}\0${found.rest}`);
      const beside = kinds.get(kind) ?? new Set();
      kinds.delete(kind);
      kinds.set(kind, beside);
      if (kinds.size > KINDS_MAX) kinds.delete(kinds.keys().next().value!);
      const text = digest(found.beside);
      if (beside.has(text)) return false;
      if (beside.size < NEIGHBOURS_MAX) {
        beside.add(text);
        return false;
      }
      return true;
    },
  };
}
