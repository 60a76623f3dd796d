/**
 * A parked session as it is sealed: what the main process keeps of it as text, then the bytes that only
 * hosts look into.
 *
 * @module
 */
import { z } from "zod";
import { loadOutcome } from "../../../workers/session/bodies.ts";
import { concat } from "../../bytes.ts";
import { LOGGING_LEVELS, type ServerInfo } from "../../protocol/mcp.ts";
import { jsonBytes, parseExact } from "../../protocol/raw_json.ts";
import { REVISIONS } from "../../protocol/revisions.ts";

/** What a client has told its session, and it has told its client. */
export const sessionMemory = z.object({
  revision: z.enum(REVISIONS),
  level: z.enum(LOGGING_LEVELS).nullable(),
  abilities: z.object({
    sampling: z.boolean(),
    samplingTools: z.boolean(),
    forms: z.boolean(),
    urls: z.boolean(),
    roots: z.boolean(),
  }),
  /** URIs that the client watches. */
  watched: z.array(z.string()),
  /** Lists that the server cuts into pages itself. */
  paged: z.array(z.string()),
});
export type SessionMemory = z.infer<typeof sessionMemory>;

const texts = z.record(z.string(), z.string());

const head = z.object({
  folder: z.string(),
  entrypoint: z.string(),
  /** Files of the packages of its own, by package: their names say their digests. */
  packages: z.record(z.string(), z.string()),
  /** What the client gave. */
  given: texts,
  /** What its code has of that and of what was kept, with the placeholders that are in its memory. */
  values: z.object({
    environment: texts,
    sealed: z.array(z.object({
      name: z.string(),
      placeholder: z.string(),
      value: z.string(),
      hosts: z.array(z.string()).readonly(),
      changes: z.boolean().optional(),
      isWithdrawn: z.boolean().optional(),
    })),
    secrets: texts,
    kept: texts,
  }),
  memory: sessionMemory,
  /** When its next timer is due, in milliseconds since 1970; null: it has none. */
  dueAt: z.number().nullable(),
  /** JSON text, as its numbers may be larger than JavaScript's. */
  info: z.string(),
});

/** What is left of a session, wherever it goes on. */
export interface SealedSession extends Omit<z.infer<typeof head>, "info"> {
  info: ServerInfo;
  bytes: Uint8Array;
}

const FRONT = 4;

/** What is sealed: the length of the text, the text, the bytes. */
export function packSession({ bytes, info, ...rest }: SealedSession): Uint8Array<ArrayBuffer> {
  const infoText = new TextDecoder().decode(jsonBytes(info));
  const text = jsonBytes({ ...rest, info: infoText } satisfies z.infer<typeof head>);
  const front = new Uint8Array(FRONT);
  new DataView(front.buffer).setUint32(0, text.length, true);
  return concat([front, text, bytes]);
}

/**
 * Takes apart what {@link packSession} made.
 *
 * @throws {Error} When it was another version's.
 */
export function unpackSession(plain: Uint8Array): SealedSession {
  const length = new DataView(plain.buffer, plain.byteOffset, plain.length).getUint32(0, true);
  const text = new TextDecoder().decode(plain.subarray(FRONT, FRONT + length));
  const { info: infoText, ...rest } = head.parse(JSON.parse(text));
  const info = parseExact(infoText) as ServerInfo;
  if (!loadOutcome.safeParse({ kind: "loaded", info }).success) {
    throw new Error("A stored session of another version");
  }
  return { ...rest, info, bytes: plain.slice(FRONT + length) };
}
