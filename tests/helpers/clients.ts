/**
 * Clients of a running Berth, as its users have them.
 *
 * @module
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { PATIENCE_MS } from "./patience.ts";

/** An answer with its body as JSON, null when it has none. */
export interface JsonAnswer {
  status: number;
  headers: Headers;
  // deno-lint-ignore no-explicit-any
  body: any;
}

async function readAnswer(response: Response): Promise<JsonAnswer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? null : JSON.parse(text),
  };
}

/** What a call to the registry may say. */
export interface RegistryCall {
  /** Subject of the token that is sent. */
  user?: string;
  /** A token as it is. */
  token?: string;
  /** Sent as JSON, a string as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Calls `method path`, the path relative to `/api/v1`. */
export type RegistryClient = (
  method: string,
  path: string,
  options?: RegistryCall,
) => Promise<JsonAnswer>;

/** A client of the registry at `apiUrl`. */
export function registryClient(
  apiUrl: string,
  mint: (claims: { sub: string }) => Promise<string>,
): RegistryClient {
  return async (method, path, options = {}) => {
    const headers = new Headers(options.headers);
    const token = options.token ?? (options.user ? await mint({ sub: options.user }) : undefined);
    if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
    if (options.body === undefined) {
      return await readAnswer(await fetch(`${apiUrl}${path}`, { method, headers }));
    }
    headers.set("Content-Type", "application/json");
    const body = typeof options.body === "string" ? options.body : JSON.stringify(options.body);
    return await readAnswer(await fetch(`${apiUrl}${path}`, { method, headers, body }));
  };
}

/** The first request of a client that can do nothing, for {@link sendMessage}. */
export function initializeAs(name: string) {
  return {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name, version: "1" },
    },
  };
}

/** Sends one message to the execution endpoint as the specification's own clients do. */
export async function sendMessage(
  workerUrl: string,
  target: { server: string; session: string; token?: string },
  message: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<JsonAnswer> {
  const response = await fetch(`${workerUrl}/mcp?name=${target.server}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Mcp-Session-Id": target.session,
      ...headers,
      ...(target.token === undefined ? {} : { Authorization: `Bearer ${target.token}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
  return await readAnswer(response);
}

/** `client`, which waits longer for answers than the minute that it does by itself. */
export function patient(client: Client): Client {
  const request = client.request.bind(client);
  client.request = (message: unknown, schema: unknown, options?: object) =>
    request(message, schema, { timeout: PATIENCE_MS, ...options });
  return client;
}

/** The official SDK's client, connected to `server`. */
export async function connectClient(workerUrl: string, server: string): Promise<Client> {
  const client = patient(new Client({ name: "walk", version: "1.0.0" }));
  const transport = new StreamableHTTPClientTransport(
    new URL(`${workerUrl}/mcp?name=${server}`),
  );
  // The SDK's own types do not fit each other under exactOptionalPropertyTypes.
  await client.connect(transport as unknown as Parameters<Client["connect"]>[0]);
  return client;
}

/** The text blocks of a tool's result, a line each. */
export function textOf(result: unknown): string {
  const { content } = result as { content: { type: string; text?: string }[] };
  return content.map((block) => block.text ?? `[${block.type}]`).join("\n");
}
