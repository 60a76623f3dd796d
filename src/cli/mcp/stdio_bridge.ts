/**
 * A bridge from a client that speaks over standard input and output to the execution endpoint:
 * every message of either side is passed on as it is.
 *
 * @module
 */
import { z } from "zod";
import { type JSONRPCMessage, StreamableHTTPClientTransport, StreamableHTTPError } from "./sdk.ts";
import { parseExact } from "../../protocol/raw_json.ts";
import { exactNumbers, markNumbers } from "./exact.ts";
import type { McpFetch } from "./fetch.ts";
import { createIdMap } from "./id_map.ts";

/** What a bridge works with. */
export interface BridgeOptions {
  url: URL;
  fetch: McpFetch;
  /** Messages of the client, a line each. */
  lines: AsyncIterable<string>;
  /** Writes a message for the client. */
  write: (message: unknown) => void;
  /** Writes a note for people to standard error. */
  warn: (line: string) => void;
  signal: AbortSignal;
}

const Message = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
});
type Message = z.infer<typeof Message>;

const Initialized = z.looseObject({ result: z.looseObject({ protocolVersion: z.string() }) });
const RpcError = z.object({
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }),
});

const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" } as const;
/** What a client reads when the endpoint cannot be reached (JSON-RPC, server errors). */
const UNREACHABLE = -32000;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

function isRequest(message: Message): message is Message & { id: string | number; method: string } {
  return message.id !== undefined && message.method !== undefined;
}

/** The JSON-RPC error that `error` carries, else one that says what failed. */
function errorOf(error: unknown): { code: number; message: string; data?: unknown } {
  const text = error instanceof Error ? error.message : String(error);
  const start = text.indexOf("{");
  if (error instanceof StreamableHTTPError && start >= 0) {
    try {
      const { error: sent } = RpcError.parse(JSON.parse(text.slice(start)));
      return {
        code: sent.code,
        message: sent.message,
        ...(sent.data === undefined ? {} : { data: sent.data }),
      };
    } catch {
      // Not the endpoint's own answer.
    }
  }
  return { code: UNREACHABLE, message: text };
}

/** Passes messages on until the client's side ends, and what it asked is answered. */
export async function bridge(options: BridgeOptions): Promise<void> {
  const { url, write, warn, signal } = options;
  let first: (Message & { id: string | number; method: string }) | undefined;
  const ids = createIdMap();
  const open = new Set<string | number>();
  let idle = Promise.withResolvers<void>();
  let transport = await connect();

  function answered(id: string | number | undefined): void {
    if (id !== undefined) open.delete(id);
    if (open.size === 0) idle.resolve();
  }

  async function connect(): Promise<StreamableHTTPClientTransport> {
    const made = new StreamableHTTPClientTransport(url, {
      fetch: async (address, init) => markNumbers(await options.fetch(address, init)),
    });
    made.onmessage = (given: JSONRPCMessage) => {
      const message = exactNumbers(given) as JSONRPCMessage;
      const initialized = Initialized.safeParse(message);
      const id = "id" in message ? message.id : undefined;
      if (id !== undefined && id === first?.id && initialized.success) {
        made.setProtocolVersion(initialized.data.result.protocolVersion);
      }
      write(ids.restored(message));
      if (!("method" in message)) answered(id);
    };
    // What fails for a request is told where it is sent; a stream that breaks opens again.
    made.onerror = () => {};
    await made.start();
    return made;
  }

  /** A new session in place of one that the endpoint has ended, begun as the client began. */
  async function restart(): Promise<void> {
    warn("The session ended. A new one was started without the state of the old one");
    await transport.close();
    const next = await connect();
    const { promise, resolve } = Promise.withResolvers<void>();
    const pass = next.onmessage!;
    next.onmessage = (message) => {
      const initialized = Initialized.safeParse(message);
      if (initialized.success) next.setProtocolVersion(initialized.data.result.protocolVersion);
      resolve();
    };
    await next.send(first as JSONRPCMessage);
    await promise;
    next.onmessage = pass;
    await next.send(INITIALIZED);
    transport = next;
  }

  async function send(message: Message, again = true): Promise<void> {
    try {
      await transport.send(message as JSONRPCMessage);
    } catch (error) {
      const gone = error instanceof StreamableHTTPError && error.code === 404;
      if (gone && again && first !== undefined && message.method !== "initialize") {
        await restart();
        return await send(message, false);
      }
      throw error;
    }
  }

  async function pass(message: Message): Promise<void> {
    if (!isRequest(message)) return await send(message).catch((error) => warn(String(error)));
    if (message.method === "initialize") first = message;
    if (open.size === 0) idle = Promise.withResolvers();
    open.add(message.id);
    try {
      await send(message);
    } catch (error) {
      write(ids.restored({ jsonrpc: "2.0", id: message.id, error: errorOf(error) }));
      answered(message.id);
    }
  }

  function receive(line: string): void {
    let content: unknown;
    try {
      content = parseExact(line);
    } catch {
      return write({ jsonrpc: "2.0", id: null, error: { code: PARSE_ERROR, message: "Not JSON" } });
    }
    const messages = Array.isArray(content) ? content : [content];
    for (const one of messages) {
      const parsed = Message.safeParse(ids.replaced(one));
      if (parsed.success) keep(order(parsed.data));
      else {
        const error = { code: INVALID_REQUEST, message: "Not a JSON-RPC 2.0 message" };
        write({ jsonrpc: "2.0", id: null, error });
      }
    }
  }

  // What follows initialize waits for it: before, there is no session to be in.
  let started: Promise<void> = Promise.resolve();
  const passing = new Set<Promise<void>>();
  function keep(sent: Promise<void>): void {
    passing.add(sent);
    sent.finally(() => passing.delete(sent));
  }
  function order(message: Message): Promise<void> {
    const sent = started.then(() => pass(message));
    if (message.method === "initialize" || message.method === INITIALIZED.method) started = sent;
    return sent;
  }

  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => stop(), { once: true });
  try {
    const reading = (async () => {
      for await (const line of options.lines) if (line.trim() !== "") receive(line);
      await Promise.all(passing);
      if (open.size > 0) await idle.promise;
    })();
    await Promise.race([reading, stopped]);
  } finally {
    await transport.terminateSession().catch(() => {});
    await transport.close();
  }
}
