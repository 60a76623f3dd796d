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

export interface BridgeOptions {
  url: URL;
  fetch: McpFetch;
  /** Messages of the client, a line each. */
  lines: AsyncIterable<string>;
  /** Writes a message for the client. */
  write: (message: unknown) => void;
  /** Told of each error with which the endpoint answers a request to begin. */
  onNotBegun: (error: unknown) => void;
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

/** The two sides, and what is under way between them. */
class StdioBridge {
  readonly #options: BridgeOptions;
  readonly #ids = createIdMap();
  /** Requests of the client that are not answered. */
  readonly #open = new Set<string | number>();
  readonly #passing = new Set<Promise<void>>();
  /** The client's initialize. */
  #first: (Message & { id: string | number; method: string }) | undefined;
  #idle = Promise.withResolvers<void>();
  #transport: StreamableHTTPClientTransport;
  // What follows initialize waits for it: before, there is no session to be in.
  #started: Promise<void> = Promise.resolve();

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#transport = this.#transportTo(options.url);
  }

  /** Passes on all lines, and waits for what they ask. */
  async run(): Promise<void> {
    await this.#transport.start();
    for await (const line of this.#options.lines) if (line.trim() !== "") this.#receive(line);
    await Promise.all(this.#passing);
    if (this.#open.size > 0) await this.#idle.promise;
  }

  async close(): Promise<void> {
    await this.#transport.terminateSession().catch(() => {});
    await this.#transport.close();
  }

  #write(message: unknown): void {
    this.#options.write(this.#ids.restored(message));
  }

  #writeError(code: number, message: string): void {
    this.#options.write({ jsonrpc: "2.0", id: null, error: { code, message } });
  }

  #answered(id: string | number | undefined): void {
    if (id !== undefined) this.#open.delete(id);
    if (this.#open.size === 0) this.#idle.resolve();
  }

  #transportTo(url: URL): StreamableHTTPClientTransport {
    const made = new StreamableHTTPClientTransport(url, {
      fetch: async (address, init) => markNumbers(await this.#options.fetch(address, init)),
    });
    made.onmessage = (given: JSONRPCMessage) => {
      const message = exactNumbers(given) as JSONRPCMessage;
      const initialized = Initialized.safeParse(message);
      const id = "id" in message ? message.id : undefined;
      const isFirst = id !== undefined && id === this.#first?.id;
      if (isFirst && "error" in message) this.#options.onNotBegun(message.error);
      if (isFirst && initialized.success) {
        made.setProtocolVersion(initialized.data.result.protocolVersion);
      }
      this.#write(message);
      if (!("method" in message)) this.#answered(id);
    };
    // What fails for a request is told where it is sent; a stream that breaks opens again.
    made.onerror = () => {};
    return made;
  }

  /** A new session in place of one that the endpoint has ended, begun as the client began. */
  async #restart(): Promise<void> {
    this.#options.warn("The session ended. A new one was started without the state of the old one");
    await this.#transport.close();
    const next = this.#transportTo(this.#options.url);
    await next.start();
    const { promise, resolve } = Promise.withResolvers<void>();
    const pass = next.onmessage!;
    next.onmessage = (message) => {
      const initialized = Initialized.safeParse(message);
      if (initialized.success) next.setProtocolVersion(initialized.data.result.protocolVersion);
      resolve();
    };
    await next.send(this.#first as JSONRPCMessage);
    await promise;
    next.onmessage = pass;
    await next.send(INITIALIZED);
    this.#transport = next;
  }

  async #send(message: Message, again = true): Promise<void> {
    try {
      await this.#transport.send(message as JSONRPCMessage);
    } catch (error) {
      const gone = error instanceof StreamableHTTPError && error.code === 404;
      if (gone && again && this.#first !== undefined && message.method !== "initialize") {
        await this.#restart();
        return await this.#send(message, false);
      }
      throw error;
    }
  }

  async #pass(message: Message): Promise<void> {
    if (!isRequest(message)) {
      return await this.#send(message).catch((error) => this.#options.warn(String(error)));
    }
    if (message.method === "initialize") this.#first = message;
    if (this.#open.size === 0) this.#idle = Promise.withResolvers();
    this.#open.add(message.id);
    try {
      await this.#send(message);
    } catch (error) {
      this.#write({ jsonrpc: "2.0", id: message.id, error: errorOf(error) });
      this.#answered(message.id);
    }
  }

  #receive(line: string): void {
    let content: unknown;
    try {
      content = parseExact(line);
    } catch {
      return this.#writeError(PARSE_ERROR, "Not JSON");
    }
    const messages = Array.isArray(content) ? content : [content];
    for (const one of messages) {
      const parsed = Message.safeParse(this.#ids.replaced(one));
      if (parsed.success) this.#keep(this.#order(parsed.data));
      else this.#writeError(INVALID_REQUEST, "Not a JSON-RPC 2.0 message");
    }
  }

  #keep(sent: Promise<void>): void {
    this.#passing.add(sent);
    sent.finally(() => this.#passing.delete(sent));
  }

  #order(message: Message): Promise<void> {
    const sent = this.#started.then(() => this.#pass(message));
    if (message.method === "initialize" || message.method === INITIALIZED.method) {
      this.#started = sent;
    }
    return sent;
  }
}

/** Passes messages on until the client's side ends, and what it asked is answered. */
export async function bridge(options: BridgeOptions): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  options.signal.addEventListener("abort", () => stop(), { once: true });
  const running = new StdioBridge(options);
  try {
    await Promise.race([running.run(), stopped]);
  } finally {
    await running.close();
  }
}
