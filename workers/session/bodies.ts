/**
 * The JSON in the bodies of messages: what Berth's Python runtime and the main process say to each
 * other. The host hands it on unread, and imports only the types, so that it needs no package. What
 * comes from Python is parsed with these schemas: it may be hostile code that speaks.
 *
 * @module
 */
import { z } from "zod";

const shortText = z.string().max(4096);

/** What Python's `load` is given. */
export interface LoadOptions {
  /** Folder of the repository's files. */
  root: string;
  entrypoint: string;
  profile: "restricted" | "full";
  environment: Record<string, string>;
  /** What may be compiled; null where no scan said it. */
  scanned: ScannedCode | null;
  /** Ceiling of the session's linear memory, in MiB. */
  memory_mb: number;
  /** The server's own packages; null for those of the installation alone. */
  packages: SessionPackages | null;
}

/** Packages of one server, in place of the installation's of the same name. */
export interface SessionPackages {
  /** Versions of the SDKs, by package; where one is missing, the session chooses. */
  sdks: Record<string, string>;
  /** Every package that was resolved for it; each sees the others. */
  installed: string[];
  /** Those with files of their own. */
  own: Record<
    string,
    { version: string; modules: string[]; requires: string[]; place: string }
  >;
}

/** What a scan read as code, and a session may compile. */
export interface ScannedCode {
  /** Paths of files. */
  files: string[];
  /** SHA-256 of literal texts that the code compiles. */
  texts: string[];
  /** Whether the code compiles text that it does not state, which the scan has judged. */
  computed: boolean;
  /** Top-level modules that the code imports whenever it starts; reports of older versions lack it. */
  imports?: string[] | undefined;
  /** Dotted names of what it imports then: modules, or names in modules. */
  modules?: string[] | undefined;
}

/** What Python's `request` is given. */
export interface CallMessage {
  method: string;
  params: unknown;
  request_id: string | number | bigint;
}

/** What Python's `request` gives back. */
export type CallResult =
  | { kind: "result"; result: unknown }
  | { kind: "error"; code: number; message: string; data?: unknown };

/** Kinds of failures that keep an entrypoint from serving, as Python tells them apart. */
export const LOAD_FAULTS = [
  "syntax_error",
  "missing_module",
  "missing_package",
  "hangs",
  "memory",
  "exits",
  "no_server",
  "raised",
] as const;

/** What kept an entrypoint from serving; `file` and `line` are of the server's own code. */
export const loadCause = z.object({
  kind: z.enum(LOAD_FAULTS),
  /** Name of what was not found; absent where there is none. */
  subject: shortText.nullish(),
  file: shortText.nullable(),
  line: z.int().min(1).nullable(),
  /** What to do, where the interpreter knows better than whoever reads it. */
  hint: shortText.nullable(),
});
export type LoadCause = z.infer<typeof loadCause>;

/** What Python's `load` gives back. */
export const loadOutcome = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("loaded"),
    info: z.object({
      name: z.string(),
      version: z.string(),
      instructions: z.string().nullable(),
      capabilities: z.record(z.string(), z.unknown()),
      title: shortText.nullish(),
      description: shortText.nullish(),
      website_url: shortText.nullish(),
      icons: z.array(z.looseObject({ src: z.string() })).max(64).nullish(),
    }),
  }),
  z.object({
    kind: z.literal("refused"),
    problems: z.array(z.object({
      construct: shortText,
      file: shortText,
      line: z.int(),
      hint: shortText,
    })).max(10_000),
  }),
  z.object({
    kind: z.literal("raised"),
    message: z.string(),
    traceback: z.string(),
    cause: loadCause.optional(),
    /** Environment variables that the code asked for and that are not set. */
    missing_environment: z.array(z.string().max(128)).max(10).optional(),
  }),
]);

/** Id of the MCP request that an event or a question belongs to; null when it belongs to none. */
const requestId = z.union([z.string().max(1024), z.int(), z.bigint()]).nullish();

/** Requests that a server may send to its client. */
const askMethod = z.enum([
  "sampling/createMessage",
  "elicitation/create",
  "roots/list",
  "ping",
]);
export type AskMethod = z.infer<typeof askMethod>;

/** What Python's `ask` sends. */
export const pythonAsk = z.object({
  method: askMethod,
  params: z.unknown(),
  request_id: requestId,
  /** Milliseconds the code wants to wait; null leaves it to the limit. */
  timeout_ms: z.number().min(0).nullish(),
});

/** What Python's `ask` gives back. */
export type AskOutcome = CallResult;

/** What Python emits beside its answers. */
export const pythonEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("log"),
    level: z.enum([
      "debug",
      "info",
      "notice",
      "warning",
      "error",
      "critical",
      "alert",
      "emergency",
    ]),
    logger: z.string().max(256),
    text: z.string(),
    request_id: requestId,
  }),
  z.object({
    type: z.literal("notification"),
    method: z.string().max(256),
    params: z.unknown(),
    request_id: requestId,
  }),
  /** The code wants the stream of a request closed early; the client is to come back for the rest. */
  z.object({
    type: z.literal("close_stream"),
    request_id: requestId,
    /** Milliseconds after which the client should come back; null leaves it to Berth. */
    retry_ms: z.number().min(0).nullish(),
  }),
]);

/** An HTTP request without its body. */
export const httpRequestMeta = z.object({
  method: z.string().max(32),
  url: z.string().max(16_384),
  headers: z.array(z.tuple([z.string(), z.string()])).max(256),
  connect_timeout_ms: z.number().min(0).nullable(),
  read_timeout_ms: z.number().min(0).nullable(),
  verify: z.boolean(),
});

/** What came of an HTTP request, without the body of an answer. */
export type HttpOutcomeMeta =
  | { kind: "response"; status: number; reason: string; headers: [string, string][] }
  | { kind: "error"; error: string; message: string };
