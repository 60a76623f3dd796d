/**
 * What a forwarded request says of itself, signed by the node that checked who calls.
 *
 * @module
 */
import { z } from "zod";
import { isSigned, type NodeKeys } from "./keys.ts";

/** Header with the passport of a request, and with the node's id of a response. */
export const NODE_HEADER = "berth-node";
/** Where nodes take requests of each other, on the execution listener. */
export const NODE_PATH = "/nodes/mcp";

const MAX_LENGTH = 8192;

const claims = z.strictObject({
  /** The node that forwards, and the one that it is for. */
  from: z.uuid(),
  to: z.uuid(),
  /** The beat that the other node had: how old it may be without a clock. */
  beat: z.number(),
  /** Used once. */
  nonce: z.string(),
  method: z.string(),
  /** Path and query. */
  target: z.string(),
  /** Digests of the headers that are passed on, and of the body. */
  headers: z.string(),
  body: z.string(),
  /** Who calls, and from where. */
  userId: z.string().nullable(),
  isAdmin: z.boolean(),
  address: z.string(),
});
export type Passport = z.infer<typeof claims>;

const encoder = new TextEncoder();

function base64(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.fromBase64(text, { alphabet: "base64url" });
  } catch {
    return null;
  }
}

/** The digest of a text or a body. */
export async function digestOf(content: Uint8Array | string): Promise<string> {
  const bytes = typeof content === "string" ? encoder.encode(content) : content;
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return base64(new Uint8Array(digest));
}

const PASSED = new Set([
  "accept",
  "content-type",
  "last-event-id",
  "traceparent",
  "tracestate",
  "x-request-id",
]);

/** The headers of a request that its session's node gets, by name. */
export function passedHeaders(headers: Headers): [name: string, value: string][] {
  return [...headers].filter(([name]) => PASSED.has(name) || name.startsWith("mcp-"))
    .sort(([a], [b]) => a < b ? -1 : 1);
}

/** The passport as a header. */
export async function issue(keys: NodeKeys, passport: Passport): Promise<string> {
  const text = `${passport.from}.${base64(encoder.encode(JSON.stringify(passport)))}`;
  return `${text}.${base64(await keys.sign(text))}`;
}

/**
 * The passport in a header; null unless the node that it names has signed it.
 *
 * @param keyOf The public key of a node; null where there is no such node.
 */
export async function readPassport(
  header: string,
  keyOf: (node: string) => Promise<Uint8Array<ArrayBuffer> | null>,
): Promise<Passport | null> {
  if (header.length > MAX_LENGTH) return null;
  const [from = "", payload = "", signed = "", ...more] = header.split(".");
  const [content, signature] = [bytesOf(payload), bytesOf(signed)];
  if (content === null || signature === null || more.length > 0) return null;
  if (!z.uuid().safeParse(from).success) return null;
  const key = await keyOf(from);
  if (key === null || !await isSigned(key, `${from}.${payload}`, signature)) return null;
  const read = claims.safeParse(JSON.parse(new TextDecoder().decode(content)));
  return read.success && read.data.from === from ? read.data : null;
}
