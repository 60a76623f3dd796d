/**
 * Secrets that sandboxed code uses without having them. It holds placeholders; here the true values
 * take their place in requests to the hosts that a secret is for, and placeholders in the place of
 * values in what comes back.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { isAmongHosts } from "../keys/hosts.ts";
import {
  disguisesOf,
  encodedAs,
  looselyIn,
  replaceExact,
  replaceIn,
  replaceLoose,
  type Replacement,
} from "./disguises.ts";
import { plainAnswer } from "./plain_answer.ts";
import { type EgressPolicy, isOfOperator } from "./policy.ts";
import type { PreparedRequest } from "./request_check.ts";
import type { EgressFailure, EgressOutcome } from "./types.ts";

/** A secret of a session that its code does not get. */
export interface SealedSecret {
  /** The variable. */
  name: string;
  /** What the code has. */
  placeholder: string;
  value: string;
  /** Patterns of hosts that it may be sent to. */
  hosts: readonly string[];
}

/** A request as it goes out. */
export interface Filled {
  request: PreparedRequest;
  /** Names of secrets that the code tried to send elsewhere. */
  elsewhere: string[];
}

/** An answer as the code gets it. */
export interface Cleaned {
  outcome: EgressOutcome;
  /** Whether there was a value in it. */
  reflected: boolean;
}

/** The secrets of one session at the broker. */
export interface SealedSecrets {
  /** Puts values where they belong. @param verify Whether the certificate is checked. */
  fill(request: PreparedRequest, verify: boolean): Filled | EgressFailure;
  /** Takes values out of what the host of `request` answered. */
  clean(request: PreparedRequest, outcome: EgressOutcome): Promise<Cleaned>;
}

/** Headers with which an answer would come in parts or packed, so that a value is not found in it. */
const PARTIAL = new Set(["range", "if-range", "accept-encoding", "want-digest", "a-im", "tcn"]);
/** Headers that tell of a body with the value in it. */
const TELLING = /^(content-length|content-md5|digest|content-digest|repr-digest|etag)$/i;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const BASIC = /^Basic\s+([A-Za-z0-9+/=_-]+)$/i;

function refused(message: string): EgressFailure {
  return { kind: "error", error: "refused", message };
}

/** Whether the secret may go where the request goes. */
function mayGo(
  { hosts }: SealedSecret,
  { host, port, secure }: PreparedRequest,
  policy: EgressPolicy,
  verify: boolean,
): boolean {
  const usualPort = secure ? 443 : 80;
  if (!isAmongHosts(hosts, { host, port, usualPort })) return false;
  // What the operator names is a service of the house, which may be without TLS.
  return secure && verify || isOfOperator(policy, host, port);
}

/** Characters that a path may have as they are, beside those that `encodeURIComponent` leaves. */
function inPath(value: string): string {
  return encodeURIComponent(value).replace(/%(3A|40|24|2B|2C|3D)/g, decodeURIComponent);
}

function inAddress(path: string, { placeholder, value }: SealedSecret): string {
  const at = path.indexOf("?");
  const [front, query] = at < 0 ? [path, ""] : [path.slice(0, at), path.slice(at)];
  return front.replaceAll(placeholder, () => inPath(value)) +
    query.replaceAll(placeholder, () => encodeURIComponent(value));
}

function inHeader(text: string, { placeholder, value }: SealedSecret): string {
  const basic = BASIC.exec(text);
  if (basic === null) return text.replaceAll(placeholder, () => value);
  const pair = Buffer.from(basic[1]!, "base64").toString("utf8");
  if (!pair.includes(placeholder)) return text;
  const filled = pair.replaceAll(placeholder, () => value);
  return `Basic ${Buffer.from(filled, "utf8").toString("base64")}`;
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

function inBody(
  body: Uint8Array | null,
  headers: readonly string[],
  { placeholder, value }: SealedSecret,
): Uint8Array | null {
  if (body === null) return null;
  const into = Buffer.from(bodyForm(headers, value), "utf8");
  return replaceIn(body, [Buffer.from(placeholder), into]);
}

/** The request with the value of one secret in it. */
function filledWith(request: PreparedRequest, secret: SealedSecret): PreparedRequest | string {
  const headers = request.headers.map((text, index) =>
    index % 2 === 0 ? text : inHeader(text, secret)
  );
  const broken = headers.findIndex((text) => !HEADER_VALUE.test(text));
  if (broken >= 0) {
    return `The value of ${secret.name} has line ends or other characters that no header takes`;
  }
  return {
    ...request,
    path: inAddress(request.path, secret),
    headers,
    body: inBody(request.body, request.headers, secret),
  };
}

function withoutPartial(headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    if (!PARTIAL.has(headers[at]!.toLowerCase())) kept.push(headers[at]!, headers[at + 1]!);
  }
  return [...kept, "Accept-Encoding", "identity"];
}

/** Bytes of a body in which an attempt is looked for: it only tells, the value is not in it. */
const MENTIONED_MAX_BYTES = 256 * 1024;

/** Whether the request has the placeholder in it, plainly or in one of the usual disguises. */
function mentions(
  { authority, path, headers, body }: PreparedRequest,
  disguises: readonly Uint8Array[],
): boolean {
  const head = Buffer.from([authority, path, ...headers].join("\n").toLowerCase(), "latin1");
  const small = disguises.map((each) =>
    Buffer.from(Buffer.from(each).toString("latin1").toLowerCase(), "latin1")
  );
  if (small.some((each) => head.includes(each))) return true;
  if (body === null) return false;
  const length = Math.min(body.byteLength, MENTIONED_MAX_BYTES);
  const bytes = Buffer.from(body.buffer, body.byteOffset, length);
  return disguises.some((each) => bytes.includes(each));
}

/** What is looked for in answers. */
interface Returned {
  exact: readonly Replacement[];
  loose: readonly Parameters<typeof replaceLoose>[1][];
}

/** Shorter ones are looked for as they are: they could be part of ordinary text. */
const LOOSE_MIN_CHARS = 6;

function returnedOf(secrets: readonly SealedSecret[]): Returned {
  // Values before their parts: one may hold another.
  const longest = [...secrets].sort((a, b) => b.value.length - a.value.length);
  return {
    exact: longest.flatMap(({ value, placeholder }) => encodedAs(value, placeholder)),
    loose: longest.filter(({ value }) => value.length >= LOOSE_MIN_CHARS)
      .map(({ value, placeholder }) => ({
        pattern: looselyIn(value),
        length: Buffer.byteLength(value),
        to: Buffer.from(placeholder),
      })),
  };
}

/** `bytes` without values; null when there are none in them. */
async function cleaned(bytes: Uint8Array, { exact, loose }: Returned): Promise<Uint8Array | null> {
  let found = await replaceExact(bytes, exact);
  for (const each of loose) found = await replaceLoose(found ?? bytes, each) ?? found;
  return found;
}

/** The head of an answer without values, on one line each. */
async function cleanedTexts(texts: readonly string[], returned: Returned): Promise<string[]> {
  const bytes = await cleaned(Buffer.from(texts.join("\0"), "latin1"), returned);
  return bytes === null ? [...texts] : Buffer.from(bytes).toString("latin1").split("\0");
}

/** The secrets of one session; null when it has none. */
export function sealSecrets(
  secrets: readonly SealedSecret[],
  policy: EgressPolicy,
): SealedSecrets | null {
  if (secrets.length === 0) return null;
  const sought = secrets.map((secret) => ({
    secret,
    disguises: disguisesOf(secret.placeholder),
  }));
  // Values before their parts: one may hold another.
  const returned = returnedOf(secrets);
  return {
    fill(request, verify) {
      let filled = request;
      const elsewhere: string[] = [];
      const allowed = secrets.filter((secret) => mayGo(secret, request, policy, verify));
      for (const { secret, disguises } of sought) {
        if (!allowed.includes(secret)) {
          if (mentions(request, disguises)) elsewhere.push(secret.name);
          continue;
        }
        const next = filledWith(filled, secret);
        if (typeof next === "string") return refused(next);
        filled = next;
      }
      if (allowed.length > 0) filled = { ...filled, headers: withoutPartial(filled.headers) };
      return { request: filled, elsewhere };
    },
    async clean(request, outcome) {
      if (outcome.kind === "error") return { outcome, reflected: false };
      const isTrusted = secrets.some(({ hosts }) =>
        isAmongHosts(hosts, { ...request, usualPort: request.secure ? 443 : 80 })
      );
      const plain = isTrusted ? await plainAnswer(outcome) : outcome;
      if (plain.kind === "error") return { outcome: plain, reflected: false };
      const body = await cleaned(plain.body, returned);
      const [reason = "", ...values] = await cleanedTexts(
        [plain.reason, ...plain.headers.map(([, value]) => value)],
        returned,
      );
      const headers = plain.headers.map(([name], at): [string, string] => [name, values[at] ?? ""]);
      const texts = plain.headers.map(([, value]) => value);
      const cleanOutcome = {
        ...plain,
        reason,
        headers: body === null ? headers : headers.filter(([name]) => !TELLING.test(name)),
        ...(body === null ? {} : { body: new Uint8Array(body) }),
      };
      const isSame = body === null && texts.every((text, at) => text === values[at]);
      return { outcome: cleanOutcome, reflected: !isSame };
    },
  };
}
