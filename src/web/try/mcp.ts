/**
 * The pages' own MCP client: one sandboxed session for each browser and server.
 *
 * @module
 */
import { z } from "zod";
import { isModest } from "./modest_json.ts";
import { withExactValues } from "./exact_values.ts";
import { parseExact } from "../../protocol/raw_json.ts";
import type { PageRequest } from "../layout/context.ts";

const PROTOCOL = "2025-11-25";
/** What one answer may hold; the execution side has limits of its own. */
const MAX_BYTES = 16 * 1024 * 1024;

const Id = z.union([z.string(), z.number()]);

/** A message of a session: hostile, whatever it says. */
export const Message = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: Id.nullable().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() })
    .optional(),
});
/** A JSON-RPC message that the server sent. */
export type Message = z.infer<typeof Message> & {
  /** The whole message, its numbers as they were written: what is shown of it. */
  exact?: unknown;
};

/** A JSON-RPC request to the server. */
export interface Outgoing {
  method: string;
  params?: unknown;
  id: number;
}

/** A session of this browser with the server `name`. */
export interface TrySession {
  /** Every message of the answer, as it comes; the last one answers the request. */
  send(message: Outgoing, signal?: AbortSignal): AsyncIterable<Message>;
  /** The message that answers. */
  ask(message: Outgoing): Promise<Message>;
  /** Tells that an answer is not waited for any more. */
  cancel(id: number): Promise<void>;
  end(): Promise<void>;
}

function tooLarge(): RangeError {
  return new RangeError("The response is too large to show here");
}

async function* bounded(body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > MAX_BYTES) throw tooLarge();
    yield part;
  }
}

function parse(text: string): Message | null {
  if (!isModest(text)) throw tooLarge();
  try {
    return { ...Message.parse(JSON.parse(text)), exact: parseExact(text) };
  } catch {
    return null;
  }
}

/** Texts of the events of a stream (they end with an empty line); each character is looked at once. */
async function* eventTexts(body: ReadableStream<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  const end = /\r?\n\r?\n/g;
  let text = "";
  for await (const part of bounded(body)) {
    // An end that came in two parts is at most three characters back.
    end.lastIndex = Math.max(0, text.length - 3);
    text += decoder.decode(part, { stream: true });
    let from = 0;
    for (let match = end.exec(text); match !== null; match = end.exec(text)) {
      yield text.slice(from, match.index);
      from = end.lastIndex;
    }
    text = text.slice(from);
  }
}

/** Messages in an event stream (`data` lines). */
async function* events(body: ReadableStream<Uint8Array>): AsyncIterable<Message> {
  for await (const event of eventTexts(body)) {
    const data = event.split(/\r?\n/)
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).replace(/^ /, "")).join("\n");
    const message = data === "" ? null : parse(data);
    if (message !== null) yield message;
  }
}

async function* messagesOf(response: Response): AsyncIterable<Message> {
  if (response.body === null) return;
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
    yield* events(response.body);
    return;
  }
  const parts: Uint8Array[] = [];
  for await (const part of bounded(response.body)) parts.push(part);
  const message = parse(await new Blob(parts as BlobPart[]).text());
  if (message !== null) yield message;
}

/** An answer that cannot be read as one. */
function unreadable(id: number, message: string): Message {
  return { jsonrpc: "2.0", id, error: { code: -32603, message } };
}

/** The session of the request's visitor with the server `name`. */
export function trySession(request: PageRequest, name: string): TrySession {
  const { visitor, services, c } = request;
  const tokens = visitor.session?.tokens;
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    // Derived from the browser's own secret: nobody else can name it.
    "mcp-session-id": `try-${visitor.own(`try ${name}`)}`,
    ...(tokens?.forApi ? { authorization: `Bearer ${tokens.bearer}` } : {}),
  };
  const url = `${services.workerUrl}/mcp?name=${encodeURIComponent(name)}`;

  async function post(body: unknown, signal?: AbortSignal): Promise<Response> {
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const sent = new Request(url, signal === undefined ? init : { ...init, signal });
    return await services.execute(sent, c.get("client"));
  }

  async function* send({ method, params, id }: Outgoing, signal?: AbortSignal) {
    const message = { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) };
    const response = await post(message, signal);
    let answered = false;
    try {
      for await (const received of messagesOf(response)) {
        const isAnswer = received.method === undefined;
        answered ||= isAnswer;
        yield received;
        if (isAnswer) break;
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      yield unreadable(id, error.message);
      return;
    }
    const status = `The execution endpoint returned status ${response.status}`;
    if (!answered) yield unreadable(id, status);
  }

  return {
    send,
    async ask(message) {
      let last: Message | undefined;
      for await (const received of send(message)) last = received;
      return last!;
    },
    async cancel(id) {
      const response = await post({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: id, reason: "The user cancelled" },
      });
      await response.body?.cancel();
    },
    async end() {
      const response = await services.execute(
        new Request(url, { method: "DELETE", headers }),
        c.get("client"),
      );
      await response.body?.cancel();
    },
  };
}

/**
 * The message that begins a session.
 *
 * @param environment Values for this session; an existing one must have the same.
 */
export function initializeMessage(environment: Readonly<Record<string, string>> = {}): Outgoing {
  return {
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: PROTOCOL,
      capabilities: {},
      ...(Object.keys(environment).length === 0
        ? {}
        : { _meta: { "berth/environment": environment } }),
      clientInfo: { name: "berth-web", title: "Berth", version: "1.0.0" },
    },
  };
}

const text = (length: number) => z.string().transform((value) => value.slice(0, length));

/** A tool as the session lists it. */
export const Tool = z.looseObject({
  name: z.string().max(1000),
  title: text(200).optional().catch(undefined),
  description: text(8000).optional().catch(undefined),
  inputSchema: z.record(z.string(), z.unknown()).catch({}),
  annotations: z.looseObject({
    title: text(200).optional().catch(undefined),
    readOnlyHint: z.boolean().optional().catch(undefined),
    destructiveHint: z.boolean().optional().catch(undefined),
  }).optional().catch(undefined),
});
export type Tool = z.infer<typeof Tool>;

/** What `tools/list` answers. */
const ToolList = z.looseObject({ tools: z.array(Tool).max(1000) });

/** The tools of an answer to `tools/list`, defaults and choices as written; null when it is none. */
export function listedTools(message: Message): Tool[] | null {
  const { result } = Object(message.exact) as { result?: unknown };
  const list = ToolList.safeParse(withExactValues(message.result, result));
  return list.success ? list.data.tools : null;
}
