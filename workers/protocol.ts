/**
 * Every message between the main process, a session host and a session's worker. What comes from
 * a host is parsed with these schemas by the main process: a host may run hostile code.
 * `workers/` itself imports only the types, so that a host needs no package.
 *
 * @module
 */
import { z } from "zod";
import { MAX_HEAD_BYTES } from "./limits.ts";

/** Number of a session in its host, given by the main process; a client's session id stays there. */
const slot = z.int().min(1);
/** Number of a call or of an HTTP request in its session. */
const serial = z.int().min(1);
const shortText = z.string().max(4096);

/** Head of a frame from a host. What the body holds is said for each. */
export const hostMessage = z.discriminatedUnion("type", [
  /** The session's interpreter waits for its files. */
  z.strictObject({ type: z.literal("booted"), session: slot }),
  /** The entrypoint ran. Body: a {@link loadOutcome} as JSON. */
  z.strictObject({ type: z.literal("opened"), session: slot }),
  /** A call came to its end. Body: a {@link CallResult} as JSON. */
  z.strictObject({ type: z.literal("result"), session: slot, call: serial }),
  /** The call's code awaits something: another may begin. */
  z.strictObject({ type: z.literal("waiting"), session: slot, call: serial }),
  /** A log entry or notification. Body: a {@link pythonEvent} as JSON. */
  z.strictObject({ type: z.literal("event"), session: slot }),
  /** Python wants an HTTP request. `meta`: {@link httpRequestMeta} as JSON; body: the request's. */
  z.strictObject({
    type: z.literal("http"),
    session: slot,
    request: serial,
    /** The call whose code asks; 0 means the entrypoint's run. */
    call: z.int().min(0).nullable(),
    meta: z.string().max(MAX_HEAD_BYTES),
    has_body: z.boolean(),
  }),
  /** The code asks the client. Body: a {@link pythonAsk} as JSON. */
  z.strictObject({ type: z.literal("ask"), session: slot, request: serial }),
  /** The session's worker is gone: asked for (`closed`) or by itself (`crashed`). */
  z.strictObject({
    type: z.literal("ended"),
    session: slot,
    reason: z.enum(["closed", "crashed"]),
    message: shortText,
  }),
  /** What `prepare` asked for. Body: the parts, one after the other. */
  z.strictObject({
    type: z.literal("prepared"),
    parts: z.array(z.strictObject({ name: z.string().max(128), bytes: z.int().min(0) })).max(256),
  }),
  /** The host cannot work at all. */
  z.strictObject({ type: z.literal("fault"), message: shortText }),
]);
/** Head of a frame from a host. */
export type HostMessage = z.infer<typeof hostMessage>;

const file = z.strictObject({ path: z.string(), bytes: z.int().min(0) });

/** Head of a frame to a host. */
export const hostCommand = z.discriminatedUnion("type", [
  /** First of all: where the interpreter's files are, and the most linear memory a session may have. */
  z.strictObject({
    type: z.literal("init"),
    interpreter: z.string(),
    memory_pages: z.int().min(1).max(65_536),
  }),
  /** Boots an interpreter for a session. */
  z.strictObject({ type: z.literal("boot"), session: slot }),
  /** Gives a booted session its files and runs the entrypoint. Body: the files' bytes, in order. */
  z.strictObject({
    type: z.literal("open"),
    session: slot,
    /** {@link LoadOptions} as JSON, handed to Python unread. */
    options: z.string(),
    files: z.array(file),
  }),
  /** Body: a {@link CallMessage} as JSON, handed to Python unread. */
  z.strictObject({ type: z.literal("call"), session: slot, call: serial }),
  /** Raises KeyboardInterrupt in the Python code of this call; 0 means the entrypoint's run. */
  z.strictObject({ type: z.literal("interrupt"), session: slot, call: z.int().min(0) }),
  /** Answer to `http`. `meta`: an {@link httpOutcomeMeta} as JSON; body: the answer's. */
  z.strictObject({
    type: z.literal("http_done"),
    session: slot,
    request: serial,
    meta: z.string(),
  }),
  /** Answer to `ask`. Body: an {@link AskOutcome} as JSON, handed to Python unread. */
  z.strictObject({ type: z.literal("ask_done"), session: slot, request: serial }),
  z.strictObject({ type: z.literal("end"), session: slot }),
  /**
   * Setup only: packs wheels and modules into what sessions import from, or makes the snapshot of an
   * interpreter that has them. Body: the files' bytes, in order.
   */
  z.strictObject({
    type: z.literal("prepare"),
    task: z.enum(["pack", "snapshot"]),
    files: z.array(file),
  }),
]);
/** Head of a frame to a host. */
export type HostCommand = z.infer<typeof hostCommand>;

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
}

/** What a scan read as code, and a session may compile. */
export interface ScannedCode {
  /** Paths of files. */
  files: string[];
  /** SHA-256 of literal texts that the code compiles. */
  texts: string[];
  /** Whether the code compiles text that it does not state, which the scan has judged. */
  computed: boolean;
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
    /** Environment variables that the code asked for and that are not set. */
    missing_environment: z.array(z.string().max(128)).max(10).optional(),
  }),
]);

/** Id of the MCP request that an event or a question belongs to; null when it belongs to none. */
const requestId = z.union([z.string().max(1024), z.int(), z.bigint()]).nullish();

/** Requests that a server may send to its client. */
export const askMethod = z.enum([
  "sampling/createMessage",
  "elicitation/create",
  "roots/list",
  "ping",
]);
/** See {@link askMethod}. */
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
