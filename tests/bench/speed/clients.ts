/**
 * Clients that speak MCP over HTTP and little else, so that little of a measurement is theirs.
 *
 * @module
 */
import { HttpConnection } from "./http_connection.ts";

const HEADERS = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";

/** One client: a session, and calls one after the other. */
export interface Connection {
  /** Calls the empty tool. */
  call(): Promise<void>;
  close(): Promise<void>;
}

/** Begins a session at `url`. */
export async function connect(url: string): Promise<Connection> {
  const http = new HttpConnection(new URL(url));
  let id = 0;
  let headers = HEADERS;
  async function send(method: string, params: unknown, isNotification = false) {
    const message = { jsonrpc: "2.0", method, params, ...(isNotification ? {} : { id: ++id }) };
    const answer = await http.ask("POST", headers, JSON.stringify(message));
    if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
    return answer;
  }
  const { head, text } = await send("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  if (!text.includes('"result"')) throw new Error(text);
  headers += `Mcp-Session-Id: ${/^mcp-session-id: *(\S+)/im.exec(head)![1]}\r\n`;
  let isReady = false;
  return {
    async call() {
      if (!isReady) await send("notifications/initialized", {}, true);
      isReady = true;
      const { text } = await send("tools/call", { name: "nothing", arguments: {} });
      if (!text.includes('"content":[]')) throw new Error(text);
    },
    async close() {
      await http.ask("DELETE", headers, "");
      http.close();
    },
  };
}
