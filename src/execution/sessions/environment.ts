/**
 * What a client gives a session for `os.environ`: keys that a server needs to work for it. Values
 * stay in the memory of that session: not in logs, errors, the database or the audit log.
 *
 * @module
 */
import type { AppError } from "../../errors.ts";
import type { Message } from "../../protocol/json_rpc.ts";
import type { RawJson } from "../../protocol/raw_json.ts";
import { ANY_CASE, createHiding } from "../../text/hide.ts";
import { environmentFixed, invalidMeta, invalidRequest } from "../failures.ts";

export type SessionEnvironment = Readonly<Record<string, string>>;

/** A variable, and a value that it has or had. */
export type NamedValue = readonly [name: string, value: string];

/** Key in `_meta` of `initialize`. */
const ENVIRONMENT_META = "berth/environment";
/** Header of the first request: base64 of a JSON object. */
const ENVIRONMENT_HEADER = "Mcp-Server-Environment";
/**
 * Beginning of headers with one value each, for clients whose configuration is written by hand: the
 * name follows, in any letter case, with hyphens for underscores.
 */
const VARIABLE_HEADER = "mcp-server-env-";
/** Most characters of the header. */
const HEADER_MAX_CHARS = 4096;
/** Most bytes of the object in `_meta`, as JSON text. */
const META_MAX_BYTES = 16 * 1024;
/** Most variables. */
const VARIABLES_MAX = 128;

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

type Fail = (message: string) => AppError;

/** Checks names and values. Texts name a variable only where its name is one, never a value. */
function checked(value: unknown, where: string, fail: Fail): SessionEnvironment {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw fail(`${where} must be an object of names and string values`);
  }
  const entries = Object.entries(value);
  if (entries.length > VARIABLES_MAX) {
    throw fail(`${where} has ${entries.length} variables; the limit is ${VARIABLES_MAX}`);
  }
  for (const [index, [name, text]] of entries.entries()) {
    if (!NAME.test(name)) {
      throw fail(
        `${where}: the name of variable ${
          index + 1
        } must have only letters, digits, and underscores, ` +
          "and must not start with a digit",
      );
    }
    if (typeof text !== "string") throw fail(`${where}: the value of ${name} must be a string`);
    if (text.includes("\0") || !text.isWellFormed()) {
      throw fail(`${where}: the value of ${name} contains characters that are not allowed`);
    }
  }
  return Object.fromEntries(entries as [string, string][]);
}

function fromHeader(text: string): SessionEnvironment {
  const fail: Fail = invalidRequest;
  if (text.length > HEADER_MAX_CHARS) {
    throw fail(
      `${ENVIRONMENT_HEADER} is longer than the limit of ${HEADER_MAX_CHARS} characters. ` +
        `Use params._meta["${ENVIRONMENT_META}"] of initialize`,
    );
  }
  return checked(decoded(text, fail), ENVIRONMENT_HEADER, fail);
}

function decoded(text: string, fail: Fail): unknown {
  if (!BASE64.test(text)) throw fail(`${ENVIRONMENT_HEADER} must be a base64-encoded JSON object`);
  try {
    const plain = text.replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.fromBase64(plain);
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // The parser's own text would show a piece of what is secret.
    throw fail(`${ENVIRONMENT_HEADER} must be a base64-encoded JSON object`);
  }
}

function fromMeta(value: RawJson): SessionEnvironment {
  const where = `params._meta["${ENVIRONMENT_META}"]`;
  if (value.bytes.length > META_MAX_BYTES) {
    throw invalidMeta(`${where} is larger than the limit of ${META_MAX_BYTES} bytes`);
  }
  return checked(value.value(), where, invalidMeta);
}

function metaOf(message: Message): RawJson | undefined {
  if (message.kind !== "request" || message.method !== "initialize") return undefined;
  return message.params.member("_meta")?.member(ENVIRONMENT_META);
}

/**
 * The environment that a request brings, null when it brings none.
 *
 * @throws {AppError} When it cannot be read, is too large, or comes both ways.
 */
export function environmentOf(headers: Headers, message: Message): SessionEnvironment | null {
  const header = headers.get(ENVIRONMENT_HEADER);
  const meta = metaOf(message);
  if (meta !== undefined && header !== null) {
    throw invalidMeta(
      `Pass the environment in params._meta["${ENVIRONMENT_META}"] or in ${ENVIRONMENT_HEADER}, not both`,
    );
  }
  const single = fromVariableHeaders(headers);
  if (meta === undefined && header === null) return single;
  return { ...single ?? {}, ...(meta === undefined ? fromHeader(header!) : fromMeta(meta)) };
}

/** Values in headers of their own; empty ones count as none: a client asked and got no answer. */
function fromVariableHeaders(headers: Headers): SessionEnvironment | null {
  const pairs = [...headers].filter(([name, value]) =>
    name.startsWith(VARIABLE_HEADER) && value !== ""
  ).map(([name, value]) => [
    name.slice(VARIABLE_HEADER.length).toUpperCase().replaceAll("-", "_"),
    value,
  ]);
  if (pairs.length === 0) return null;
  return checked(Object.fromEntries(pairs), `${VARIABLE_HEADER}* headers`, invalidRequest);
}

/**
 * Refuses an `initialize` that would change the environment of a session that runs.
 *
 * @throws {AppError} When `given` is not what the session began with.
 */
export function checkUnchanged(
  settled: SessionEnvironment,
  given: SessionEnvironment | null | undefined,
): void {
  if (!given) return;
  const names = new Set([...Object.keys(settled), ...Object.keys(given)]);
  if ([...names].every((name) => settled[name] === given[name])) return;
  throw environmentFixed();
}

const ENCODER = new TextEncoder();
// Shorter ones are part of ordinary text, and no secrets.
const MASKED_MIN_CHARS = 6;

/**
 * Puts the names of variables in the place of their values, for what an operator reads.
 *
 * @param former Values that variables had before.
 */
export function maskOf(
  environment: SessionEnvironment,
  former: readonly NamedValue[] = [],
): (text: string) => string {
  const secrets = [...Object.entries(environment), ...former]
    .filter(([, value]) => value.length >= MASKED_MIN_CHARS)
    .map(([name, value]) => ({ from: ENCODER.encode(value), to: ENCODER.encode(`[${name}]`) }));
  // Hosts are lower case wherever they are shown.
  const hiding = createHiding(secrets, MASKED_MIN_CHARS, { fold: ANY_CASE });
  return secrets.length === 0 ? (text) => text : hiding.text;
}
